#pragma once
#include "pr/pipeline.h"
#include "cuda/pipeline"
