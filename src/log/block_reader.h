// Finds the blocks of a log, one after another: stretches up to a check block, then the rest after the last one. The
// bytes come in windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "log/framing.h"

namespace oriel::log {

// Its offset is in the log.
struct FoundBlock : BlockView {
  bool is_damaged = false;  // it has a wrong hash, or is in a stretch that has one
};

class BlockReader {
 public:
  // Where, and a sentence for a person.
  using Problem = std::function<void(uint64_t, const std::string&)>;

  explicit BlockReader(uint64_t version) : version_(version) {}

  // The bytes of the log from `begin` on, the first of which follows the last one that was used.
  void set_window(std::span<const uint8_t> bytes, uint64_t begin, bool is_last);

  // Likewise, of any other place behind a check block.
  void set_place(std::span<const uint8_t> bytes, uint64_t begin, bool is_last) {
    part_ = Part::kBetween;
    set_window(bytes, begin, is_last);
  }

  // The next block; false if the window has none, and another one is needed unless it was the last. What cannot be
  // followed is told to `problem`.
  bool next(FoundBlock& found, const Problem& problem);

  // How many bytes of the window belong to blocks that were found, or are damaged.
  size_t used() const { return at_; }
  uint64_t damaged_stretches() const { return damaged_stretches_; }

 private:
  // kSummed: damaged, with hashes of its blocks.
  enum class Part : uint8_t { kBetween, kWhole, kDamaged, kSummed, kRest };

  bool begin_stretch();
  bool next_in_stretch(FoundBlock& found);
  bool next_summed(FoundBlock& found, const Problem& problem);
  void end_whole(FoundBlock& found, const Problem& problem);
  bool has_block_behind(const BlockView& check) const;
  bool find(FoundBlock& found, const Problem& problem);
  void tell_damage(size_t from, size_t to, const Problem& problem) const;

  uint64_t version_;
  const uint8_t* data_ = nullptr;  // the window, and where it begins in the log
  size_t size_ = 0;
  uint64_t begin_ = 0;
  bool is_last_ = false;
  Part part_ = Part::kBetween;
  size_t at_ = 0;
  size_t start_ = 0;  // of the stretch
  BlockView check_;   // its end
  std::vector<BlockSum> sums_;
  size_t summed_ = 0;  // how many of these were used
  bool is_damage_told_ = false;
  uint64_t damaged_stretches_ = 0;
};

}  // namespace oriel::log
