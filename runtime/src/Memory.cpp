#include "Memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace pr {

Memory &memory() {
  static Memory M;
  return M;
}

static bool before(const Allocation &A, const char *P) { return A.Begin <= P; }

void *Memory::allocate(uint64_t Bytes) {
  const uint64_t Page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (Bytes > (uint64_t(1) << 40))
    return nullptr;
  uint64_t Padded = (Bytes + 255) / 256 * 256;
  uint64_t Body = std::max((Padded + Page - 1) / Page * Page, Page);
  void *Map = mmap(nullptr, Body + 2 * Page, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Map == MAP_FAILED)
    return nullptr;
  char *Start = static_cast<char *>(Map) + Page;
  if (mprotect(Start, Body, PROT_READ | PROT_WRITE) != 0) {
    munmap(Map, Body + 2 * Page);
    return nullptr;
  }
  std::memset(Start, 0xFF, Body);
  Allocation A;
  A.Begin = Start + Body - std::max<uint64_t>(Padded, 256);
  A.Bytes = Bytes;
  A.Name = "allocation " + std::to_string(++Counter);
  A.Mapping = Map;
  A.MappingBytes = Body + 2 * Page;
  auto It = std::lower_bound(Table.begin(), Table.end(), A.Begin, before);
  return Table.insert(It, A)->Begin;
}

bool Memory::release(void *P) {
  for (auto It = Table.begin(); It != Table.end(); ++It)
    if (It->Begin == P && !It->Variable) {
      munmap(It->Mapping, It->MappingBytes);
      Table.erase(It);
      return true;
    }
  return P == nullptr;
}

void Memory::addVariable(const VariableRow &V) {
  Allocation A;
  A.Begin = static_cast<char *>(V.Address);
  A.Bytes = V.Bytes;
  A.Name = plainName(V.Name);
  A.Variable = true;
  Table.insert(std::lower_bound(Table.begin(), Table.end(), A.Begin, before),
               A);
}

const Allocation *Memory::find(const void *P, uint64_t Size) const {
  const char *C = static_cast<const char *>(P);
  auto It = std::lower_bound(Table.begin(), Table.end(), C, before);
  if (It == Table.begin())
    return nullptr;
  --It;
  uint64_t Offset = static_cast<uint64_t>(C - It->Begin);
  return Offset + Size <= It->Bytes ? &*It : nullptr;
}

Allocation *Memory::at(const void *P) {
  for (Allocation &A : Table)
    if (A.Begin == P)
      return &A;
  return nullptr;
}

std::string Memory::describe(const void *P) const {
  const char *C = static_cast<const char *>(P);
  const Allocation *Nearest = nullptr;
  int64_t Distance = 0;
  for (const Allocation &A : Table) {
    int64_t D = C < A.Begin ? C - A.Begin
                            : C - (A.Begin + static_cast<int64_t>(A.Bytes));
    if (C >= A.Begin && D < 0)
      D = 0;
    if (!Nearest || std::abs(D) < std::abs(Distance)) {
      Nearest = &A;
      Distance = D;
    }
  }
  if (!Nearest || std::abs(Distance) > (int64_t(1) << 24))
    return "an address that belongs to no buffer";
  std::string Size = " (" + std::to_string(Nearest->Bytes) + " bytes)";
  if (Distance < 0)
    return std::to_string(-Distance) + " bytes before the start of " +
           Nearest->Name + Size;
  return std::to_string(Distance) + " bytes past the end of " + Nearest->Name +
         Size;
}

} // namespace pr
