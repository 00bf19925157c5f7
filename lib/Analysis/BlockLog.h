/// \file
/// Which bytes of the dynamic shared memory the threads of one block touch
/// before, in and after a loop.
#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/BitVector.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pipeline_rewrite {

/// What the interpretation of one thread knows about a value.
struct ThreadValue {
  enum class Kind {
    Unknown, ///< anything but an address of the dynamic block
    Integer,
    Address ///< of the dynamic block
  };
  Kind Is = Kind::Unknown;
  bool Known = false; ///< Address: Number holds
  int64_t Number = 0; ///< Address: bytes from the start of the block
  /// Address: the variable outside the loop that it was last read from.
  const clang::ValueDecl *Base = nullptr;

  static ThreadValue integer(int64_t N) {
    return {Kind::Integer, true, N, nullptr};
  }
  bool isInteger() const { return Is == Kind::Integer; }
  bool isAddress() const { return Is == Kind::Address; }
  bool operator==(const ThreadValue &O) const {
    return Is == O.Is && Known == O.Known && (!Known || Number == O.Number) &&
           Base == O.Base;
  }
};

/// Where a statement stands relative to the loop in question.
enum class Place { Before, Loop, After };

/// Byte sets of the block, gathered thread by thread. A read is covered if the
/// byte was surely written before in the same place: by the same thread, or by
/// any thread with a barrier in between.
class BlockLog {
public:
  /// No machine gives a block more shared memory than this, bytes.
  static constexpr unsigned MaxBytes = 256 * 1024;

  BlockLog();

  void beginThread();
  void barrier() {
    ++Segment;
    Stored.reset();
  }
  /// The loop's next iteration begins: nothing is covered by another one.
  void beginIteration() {
    ++Iteration;
    Own.reset();
    Stored.reset();
  }
  /// What the thread stored in one arm of a condition it did not store in the other.
  llvm::BitVector stored() const { return Stored; }
  void setStored(llvm::BitVector Bytes) { Stored = std::move(Bytes); }
  void addStored(const llvm::BitVector &Bytes) { Stored |= Bytes; }
  /// Stores from here on are made any number of times, until they are not.
  void repeat(bool Begins) { Repeats += Begins ? 1 : -1; }
  void enter(Place P);
  /// \p Certain: the access is made whenever the place is reached.
  void access(const ThreadValue &Address, uint64_t Bytes, bool Write,
              bool Certain);
  /// Something that may touch any byte of the block; the first one is kept.
  void lose(clang::SourceLocation Where, std::string Why);

  bool lost() const { return Loss.has_value(); }
  clang::SourceLocation lossLocation() const { return Loss->first; }
  const std::string &lossReason() const { return Loss->second; }

  /// Bytes that the loop touches through \p Base.
  const std::map<const clang::ValueDecl *, llvm::BitVector> &loopBytes() const {
    return ByBase;
  }
  /// Bytes that one thread may store twice in the loop, no barrier in between.
  const llvm::BitVector &storedTwice() const { return Twice; }
  const llvm::BitVector &touched(Place P) const { return sets(P).Touched; }
  const llvm::BitVector &written(Place P) const { return sets(P).Written; }
  /// Bytes read in \p P that nothing in \p P is sure to have written before.
  llvm::BitVector uncovered(Place P) const;

private:
  struct Interval {
    llvm::BitVector SurelyWritten, OpenReads;
  };
  struct PlaceSets {
    llvm::BitVector Touched, Written;
    /// By iteration, and by number of barriers passed.
    std::map<std::pair<unsigned, unsigned>, Interval> Intervals;
  };
  PlaceSets &sets(Place P) { return Sets[unsigned(P)]; }
  const PlaceSets &sets(Place P) const { return Sets[unsigned(P)]; }

  PlaceSets Sets[3];
  std::map<const clang::ValueDecl *, llvm::BitVector> ByBase;
  llvm::BitVector Own; ///< surely written by this thread in this place
  llvm::BitVector Stored; ///< by this thread since the last barrier
  llvm::BitVector Twice;
  unsigned Repeats = 0;
  Place Now = Place::Before;
  unsigned Segment = 0, Iteration = 0;
  std::optional<std::pair<clang::SourceLocation, std::string>> Loss;
};

} // namespace pipeline_rewrite
