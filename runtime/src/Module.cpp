#include "Module.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>

namespace pr {

std::string plainName(const char *Mangled) {
  int Status = 0;
  char *Plain = abi::__cxa_demangle(Mangled, nullptr, nullptr, &Status);
  std::string Name = Plain && Status == 0 ? Plain : Mangled;
  std::free(Plain);
  return Name;
}

template <typename T>
static void find(void *Handle, const char *Name, T &Out, std::string &Error) {
  void *Address = dlsym(Handle, Name);
  if (!Address)
    Error = std::string("the compiled kernels lack the table ") + Name;
  else
    Out = *static_cast<const T *>(Address);
}

template <typename T>
static void findTable(void *Handle, const std::string &Name, const T *&Rows,
                      uint64_t &Count, std::string &Error) {
  Rows = static_cast<const T *>(dlsym(Handle, Name.c_str()));
  find(Handle, (Name + "_count").c_str(), Count, Error);
}

std::string Module::load(const char *Path, bool IsOriginal) {
  Original = IsOriginal;
  void *Handle = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    return dlerror();
  std::string Error;
  findTable(Handle, "pr_kernels", Kernels, KernelCount, Error);
  findTable(Handle, "pr_shared_objects", Shared, SharedCount, Error);
  findTable(Handle, "pr_variables", Variables, VariableCount, Error);
  Sites = static_cast<const SiteRow *>(dlsym(Handle, "pr_sites"));
  find(Handle, "pr_site_count", SiteCount, Error);
  uint64_t Flags = 0;
  find(Handle, "pr_module_flags", Flags, Error);
  HasAtomics = Flags & 1;
  for (uint64_t I = 0; I < SharedCount; ++I)
    HasDynamicShared |= Shared[I].Bytes == 0;
  return Error;
}

const KernelRow *Module::kernel(const char *Name) const {
  for (uint64_t I = 0; I < KernelCount; ++I)
    if (std::strcmp(Kernels[I].Name, Name) == 0)
      return &Kernels[I];
  return nullptr;
}

const VariableRow *Module::variable(const char *Name) const {
  for (uint64_t I = 0; I < VariableCount; ++I)
    if (std::strcmp(Variables[I].Name, Name) == 0)
      return &Variables[I];
  return nullptr;
}

std::vector<SharedObject> Module::layout(uint32_t DynamicBytes,
                                         uint32_t &ArenaBytes) const {
  constexpr uint32_t Gap = 128;
  std::vector<SharedObject> Objects(SharedCount);
  uint32_t Next = Gap;
  for (uint64_t I = 0; I < SharedCount; ++I) {
    uint32_t Bytes = static_cast<uint32_t>(Shared[I].Bytes);
    if (Bytes == 0)
      continue;
    Objects[I] = {Shared[I].Name, Next, Next + Bytes, false};
    Next = (Next + Bytes + 2 * Gap - 1) / Gap * Gap;
  }
  // All arrays that the launch sizes are the same memory.
  for (uint64_t I = 0; I < SharedCount; ++I)
    if (Shared[I].Bytes == 0)
      Objects[I] = {Shared[I].Name, Next, Next + DynamicBytes, true};
  ArenaBytes = (Next + DynamicBytes + 2 * Gap - 1) / Gap * Gap;
  return Objects;
}

std::string Module::site(uint32_t Number) const {
  const SiteRow *Row = siteRow(Number);
  if (!Row)
    return "an unknown line";
  return std::string(Row->File) + ":" + std::to_string(Row->Line);
}

} // namespace pr
