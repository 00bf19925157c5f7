#include "kernel.cuh"
template __global__ void scale<16>(const float *, float *, int);
