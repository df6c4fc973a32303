#include "log/block_reader.h"

namespace oriel::log {

void BlockReader::set_window(std::span<const uint8_t> bytes, uint64_t begin, bool is_last) {
  data_ = bytes.data();
  size_ = bytes.size();
  begin_ = begin;
  is_last_ = is_last;
  at_ = 0;
}

void BlockReader::tell_damage(size_t from, size_t to, const Problem& problem) const {
  problem(begin_ + from, "the log is damaged between bytes " + std::to_string(begin_ + from) + " and " +
                             std::to_string(begin_ + to) +
                             ": samples and events of that time are left out, names from there may be wrong");
}

// What follows a check block shows where it ends if its own length is damaged.
bool BlockReader::has_block_behind(const BlockView& check) const {
  BlockView next;
  return read_block(data_, size_, end_of(check), next);
}

// False if that takes more of the log. Version 1 has no check blocks.
bool BlockReader::begin_stretch() {
  start_ = at_;
  if (version_ == kVersion1 || !find_check(data_, size_, at_, check_)) {
    if (version_ != kVersion1 && !is_last_) return false;
    part_ = Part::kRest;
    return true;
  }
  const bool whole = matches(data_, at_, check_);
  if (!whole && !is_last_ && !has_block_behind(check_)) return false;
  part_ = whole ? Part::kWhole : find_sums(data_, at_, check_, sums_) ? Part::kSummed : Part::kDamaged;
  summed_ = 0;
  is_damage_told_ = false;
  if (part_ == Part::kDamaged) ++damaged_stretches_;  // at least one block is, if they cannot be followed, or the check
  return true;
}

// False behind the last one.
bool BlockReader::next_summed(FoundBlock& found, const Problem& problem) {
  while (summed_ < sums_.size()) {
    const BlockSum& sum = sums_[summed_++];
    const size_t begin = at_;
    at_ += sum.size;
    const bool follows = read_block(data_, at_, begin, found) && end_of(found) == at_;
    found.is_damaged = !follows || !matches(data_, begin, sum);
    if (found.is_damaged) tell_damage(begin, at_, problem);
    is_damage_told_ |= found.is_damaged;
    if (follows) return true;
    ++damaged_stretches_;  // its header is
  }
  at_ = end_of_damaged(data_, size_, check_);
  part_ = Part::kBetween;
  if (is_damage_told_) return false;
  ++damaged_stretches_;
  problem(begin_ + check_.offset, "the log is damaged between bytes " + std::to_string(begin_ + check_.offset) +
                                      " and " + std::to_string(begin_ + at_) + ": nothing but a hash is lost");
  return false;
}

bool BlockReader::next_in_stretch(FoundBlock& found) {
  const size_t end = part_ == Part::kRest ? size_ : check_.offset;
  if ((part_ != Part::kRest && at_ >= end) || !read_block(data_, end, at_, found)) return false;
  found.is_damaged = part_ == Part::kDamaged;
  at_ = end_of(found);
  return true;
}

// The stretch's check block, behind its other blocks.
void BlockReader::end_whole(FoundBlock& found, const Problem& problem) {
  if (at_ != check_.offset) tell_damage(at_, check_.offset, problem);
  found = {check_, false};
  at_ = end_of(check_);
  part_ = Part::kBetween;
}

bool BlockReader::find(FoundBlock& found, const Problem& problem) {
  for (;;) {
    if (part_ == Part::kBetween && !begin_stretch()) return false;
    if (part_ == Part::kSummed) {
      if (next_summed(found, problem)) return true;
    } else if (next_in_stretch(found)) {
      if (part_ != Part::kDamaged || found.code != Block::kCheck) return true;
      tell_damage(start_, at_, problem);  // only its marker is damaged
      part_ = Part::kBetween;
    } else if (part_ == Part::kWhole) {
      end_whole(found, problem);
      return true;
    } else if (part_ == Part::kDamaged) {
      tell_damage(start_, check_.offset, problem);
      at_ = end_of_damaged(data_, size_, check_);
      part_ = Part::kBetween;
    } else {
      return false;
    }
  }
}

bool BlockReader::next(FoundBlock& found, const Problem& problem) {
  if (!find(found, problem)) return false;
  found.offset += begin_;
  return true;
}

}  // namespace oriel::log
