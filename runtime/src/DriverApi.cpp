// What the programs call that lib/Verify writes from a launch file.
// include/pr/driver.h declares it for them.
#include "Memory.h"
#include "Report.h"
#include "ShadowLaunch.h"

#include "HostTypes.h"

#include <cstdlib>

using namespace pr;

namespace {

[[noreturn]] void overflow() {
  reportUnable("an expression of the launch file overflows its integer type, "
               "or divides by zero",
               "launch-file");
  std::_Exit(5);
}

} // namespace

extern "C" {

const char *cudaGetErrorString(cudaError_t E);

void pr_describe_buffer(void *P, const char *Name, const char *Type, int Output,
                        unsigned long FillBits) {
  if (Allocation *A = memory().at(P)) {
    A->Name = Name;
    A->Type = Type;
    A->Output = Output != 0;
    A->FillBits = FillBits;
  }
}
void pr_begin_case(const char *Text, int Optional, int Brief) {
  setCase(Text);
  newCase(Optional != 0, Brief != 0);
}
void pr_rewritten_shared(long Bytes) { setRewrittenShared(Bytes); }
void pr_stop(const char *Message) {
  reportUnable(Message, "launch-file");
  std::_Exit(5);
}
// The program that is written from a launch file is compiled so that a sum,
// difference or product of 64 bits that overflows ends here.
void __ubsan_handle_add_overflow_minimal_abort() { overflow(); }
void __ubsan_handle_sub_overflow_minimal_abort() { overflow(); }
void __ubsan_handle_mul_overflow_minimal_abort() { overflow(); }
void __ubsan_handle_negate_overflow_minimal_abort() { overflow(); }
void __ubsan_handle_divrem_overflow_minimal_abort() { overflow(); }
void pr_check_launch(int Error) {
  if (Error == cudaSuccess || caseIsOptional())
    return;
  reportUnable(std::string("the launch file's configuration is not valid: ") +
                   cudaGetErrorString(static_cast<cudaError_t>(Error)),
               "launch-file");
  std::_Exit(5);
}
void pr_compare_reference(const void *Result, const void *Reference,
                          double Absolute, double Relative) {
  compareReference(Result, Reference, Absolute, Relative);
}

} // extern "C"
