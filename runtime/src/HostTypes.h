// The types of the runtime API as the user's program sees them, without Clang's
// CUDA attributes: this file's readers are compiled as plain C++.
#pragma once

#define PR_PLAIN_CPP 1
#include "pr/runtime_api.h"
