#include "profile/build/sample_rows.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <utility>

#include "profile/hashed_rows.h"

namespace oriel::profile {
namespace {

// A hint that the system may ignore. Page faults in hundreds of megabytes take a fifth of a report's time.
void ask_for_large_pages(void* memory, size_t size) {
  constexpr uintptr_t kLargePage = 2 << 20;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + kLargePage - 1) / kLargePage * kLargePage;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + size) / kLargePage * kLargePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

uint64_t counter_of(const Sample& sample) { return static_cast<uint64_t>(sample.ns); }

// About the time that the rows cover, in counters. A few that are far from all others do not count.
uint64_t time_of(const std::vector<Sample>& rows) {
  constexpr size_t kLooked = 1000;
  std::vector<uint64_t> counters;
  for (size_t i = 0; i < kLooked; ++i) counters.push_back(counter_of(rows[rows.size() * i / kLooked]));
  std::ranges::sort(counters);
  return counters[kLooked * 99 / 100] - counters[kLooked / 100];
}

// Windows of at least this part of the time.
unsigned shift_for(uint64_t time, uint64_t windows) { return static_cast<unsigned>(std::bit_width(time / windows)); }

// Nobody sees the first ones. The longest leave a coarse time line.
constexpr uint64_t kMostWindows = 1 << 14, kFewestWindows = 1 << 2;

uint64_t hash_of(const Sample& row, unsigned shift) { return mix(mix(row.thread, row.node), counter_of(row) >> shift); }

// Rows are sorted into buckets first, each of which fits a processor's cache.
constexpr size_t kBuckets = 256;
size_t bucket_of(uint64_t hash) { return hash >> 56; }

// Of so many threads with their stacks, the rows of one: enough to tell how many rows are alike.
constexpr size_t kPart = 64;
std::vector<Sample> part_of(const std::vector<Sample>& rows) {
  std::vector<Sample> part;
  for (const Sample& row : rows)
    if (mix(row.thread, row.node) % kPart == 0) part.push_back(row);
  return part;
}

// How many rows windows of that length would leave, told from a part of the rows.
size_t rows_left(const std::vector<Sample>& part, unsigned shift) {
  std::vector<uint64_t> hashes;
  for (const Sample& row : part) hashes.push_back(hash_of(row, shift));
  std::ranges::sort(hashes);
  return static_cast<size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin()) * kPart;
}

}  // namespace

void SampleRows::expect(uint64_t samples) {
  constexpr uint64_t kMostAhead = 1 << 26;
  rows_.reserve(std::min(samples, kMostAhead));
  ask_for_large_pages(rows_.data(), rows_.capacity() * sizeof(Sample));
}

bool SampleRows::are_one(const Sample& a, const Sample& b) const {
  return a.node == b.node && a.thread == b.thread && counter_of(a) >> shift_ == counter_of(b) >> shift_;
}

uint64_t SampleRows::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_;
}

void SampleRows::join(const Sample& sample, Sample& row) {
  row.periods += sample.periods;
  const double drawn = static_cast<double>(random() >> 11) * 0x1p-53;  // from 0 to 1
  if (drawn * static_cast<double>(row.periods) < static_cast<double>(sample.periods)) row.ns = sample.ns;
}

void SampleRows::merge_bucket(size_t from, size_t to, size_t& kept) {
  constexpr uint32_t kNone = UINT32_MAX;
  slots_.assign(std::bit_ceil(2 * (to - from) + 1), kNone);
  const size_t first = kept;
  for (size_t at = from; at < to; ++at) {
    const Sample row = rows_[at];
    size_t slot = hash_of(row, shift_) & (slots_.size() - 1);
    while (slots_[slot] != kNone && !are_one(row, rows_[first + slots_[slot]])) slot = (slot + 1) & (slots_.size() - 1);
    if (slots_[slot] != kNone) {
      join(row, rows_[first + slots_[slot]]);
      continue;
    }
    slots_[slot] = static_cast<uint32_t>(kept - first);
    rows_[kept++] = row;
  }
}

// In place: rows are swapped into their buckets, and what is left of a bucket moves to the front.
void SampleRows::merge_rows() {
  std::array<size_t, kBuckets + 1> begins{};
  for (const Sample& row : rows_) ++begins[bucket_of(hash_of(row, shift_)) + 1];
  for (size_t i = 1; i <= kBuckets; ++i) begins[i] += begins[i - 1];
  std::array<size_t, kBuckets + 1> heads = begins;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    while (heads[bucket] < begins[bucket + 1]) {
      Sample row = rows_[heads[bucket]];
      for (size_t its = bucket_of(hash_of(row, shift_)); its != bucket; its = bucket_of(hash_of(row, shift_)))
        std::swap(row, rows_[heads[its]++]);
      rows_[heads[bucket]++] = row;
    }
  }
  size_t kept = 0;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) merge_bucket(begins[bucket], begins[bucket + 1], kept);
  rows_.resize(kept);
}

void SampleRows::make_room() {
  const uint64_t time = time_of(rows_);
  const unsigned longest = std::max(shift_, shift_for(time, kFewestWindows));
  const std::vector<Sample> part = part_of(rows_);
  if (rows_left(part, longest) > most_ / 2) {
    most_ *= 2;
    return;
  }
  if (shift_ == 0) shift_ = std::max(1u, shift_for(time, kMostWindows));
  while (shift_ < longest && rows_left(part, shift_) > most_ / 4) ++shift_;
  merge_rows();
  while (rows_.size() > most_ / 2 && shift_ < longest) {  // few stacks: none of them may be in the part
    ++shift_;
    merge_rows();
  }
  if (rows_.size() > most_ / 2) most_ *= 2;
}

std::vector<Sample> SampleRows::take() {
  if (shift_ != 0)
    std::ranges::sort(rows_, {}, [](const Sample& row) { return std::tuple(counter_of(row), row.thread, row.node); });
  return std::move(rows_);
}

}  // namespace oriel::profile
