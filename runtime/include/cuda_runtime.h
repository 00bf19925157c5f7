#pragma once
#include "pr_device_prelude.h"
