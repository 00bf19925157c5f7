#pragma once
#include "pr/pipeline.h"
