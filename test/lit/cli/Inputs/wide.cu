#include "kernel.cuh"
template __global__ void scale<32>(const float *, float *, int);
