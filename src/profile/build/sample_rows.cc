#include "profile/build/sample_rows.h"

#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>
#include <thread>
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

// So many rows may be added while others are merged.
constexpr size_t kMostMeanwhile = 1'000'000;

// Not valid if there can be no further thread. That takes none of the process's signals.
template <typename Work>
std::shared_future<void> in_another_thread(const Work& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::shared_future<void> result;
  try {
    result = std::async(std::launch::async, work);
  } catch (const std::exception&) {  // the caller does it
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return result;
}

// How many rows windows of that length would leave, told from a part of the rows.
size_t rows_left(const std::vector<Sample>& part, unsigned shift) {
  std::vector<uint64_t> hashes;
  for (const Sample& row : part) hashes.push_back(hash_of(row, shift));
  std::ranges::sort(hashes);
  return static_cast<size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin()) * kPart;
}

}  // namespace

bool SampleRows::Merged::are_one(const Sample& a, const Sample& b) const {
  return a.node == b.node && a.thread == b.thread && counter_of(a) >> shift == counter_of(b) >> shift;
}

uint64_t SampleRows::Merged::draw() {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}

void SampleRows::Merged::join(const Sample& sample, Sample& row) {
  row.periods += sample.periods;
  const double drawn = static_cast<double>(draw() >> 11) * 0x1p-53;  // from 0 to 1
  if (drawn * static_cast<double>(row.periods) < static_cast<double>(sample.periods)) row.ns = sample.ns;
}

void SampleRows::Merged::merge_bucket(size_t from, size_t to, size_t& kept) {
  constexpr uint32_t kNone = UINT32_MAX;
  slots.assign(std::bit_ceil(2 * (to - from) + 1), kNone);
  const size_t first = kept;
  for (size_t at = from; at < to; ++at) {
    const Sample row = rows[at];
    size_t slot = hash_of(row, shift) & (slots.size() - 1);
    while (slots[slot] != kNone && !are_one(row, rows[first + slots[slot]])) slot = (slot + 1) & (slots.size() - 1);
    if (slots[slot] != kNone) {
      join(row, rows[first + slots[slot]]);
      continue;
    }
    slots[slot] = static_cast<uint32_t>(kept - first);
    rows[kept++] = row;
  }
}

constexpr size_t kAhead = 8;  // rows that are fetched into the cache before they are swapped

// In place: rows are swapped into their buckets, and what is left of a bucket moves to the front.
void SampleRows::Merged::merge_rows() {
  std::array<size_t, kBuckets + 1> begins{};
  for (const Sample& row : rows) ++begins[bucket_of(hash_of(row, shift)) + 1];
  for (size_t i = 1; i <= kBuckets; ++i) begins[i] += begins[i - 1];
  std::array<size_t, kBuckets + 1> heads = begins;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) {
    while (heads[bucket] < begins[bucket + 1]) {
      Sample row = rows[heads[bucket]];
      for (size_t its = bucket_of(hash_of(row, shift)); its != bucket; its = bucket_of(hash_of(row, shift))) {
        // What this bucket gives next time. Each swap else waits for the one before.
        __builtin_prefetch(rows.data() + heads[its] + kAhead, 1);
        std::swap(row, rows[heads[its]++]);
      }
      rows[heads[bucket]++] = row;
    }
  }
  size_t kept = 0;
  for (size_t bucket = 0; bucket < kBuckets; ++bucket) merge_bucket(begins[bucket], begins[bucket + 1], kept);
  rows.resize(kept);
}

void SampleRows::Merged::make_room() {
  const uint64_t time = time_of(rows);
  const unsigned longest = std::max(shift, shift_for(time, kFewestWindows));
  const std::vector<Sample> part = part_of(rows);
  if (rows_left(part, longest) > most / 2) {
    most *= 2;
    return;
  }
  if (shift == 0) shift = std::max(1u, shift_for(time, kMostWindows));
  while (shift < longest && rows_left(part, shift) > most / 4) ++shift;
  merge_rows();
  while (rows.size() > most / 2 && shift < longest) {  // few stacks: none of them may be in the part
    ++shift;
    merge_rows();
  }
  if (rows.size() > most / 2) most *= 2;
}

void SampleRows::expect(uint64_t samples) {
  constexpr uint64_t kMostAhead = 1 << 26;
  rows_.reserve(std::min(samples, kMostAhead));
  ask_for_large_pages(rows_.data(), rows_.capacity() * sizeof(Sample));
}

void SampleRows::begin_merging() {
  if (merged_ == nullptr) merged_ = std::make_shared<Merged>(Merged{.most = room_});
  std::swap(rows_, merged_->rows);
  const auto merge = [merged = merged_.get()] { merged->make_room(); };
  if (std::thread::hardware_concurrency() > 1) {
    room_ = std::min(kMostMeanwhile, merged_->most / 2);  // fits behind the merged rows, however many these are
    rows_.reserve(room_);
    merging_ = in_another_thread(merge);
    if (merging_.valid()) return;
  }
  merge();
  end_merging();
}

void SampleRows::end_merging() {
  if (merging_.valid()) std::exchange(merging_, {}).get();
  merged_->rows.insert(merged_->rows.end(), rows_.begin(), rows_.end());
  rows_.clear();
  std::swap(rows_, merged_->rows);
  room_ = merged_->most;
}

void SampleRows::make_room() {
  if (merging_.valid()) end_merging();
  if (rows_.size() >= room_) begin_merging();
}

std::vector<Sample> SampleRows::take() {
  if (merging_.valid()) end_merging();
  if (merged_ != nullptr) std::vector<Sample>().swap(merged_->rows);  // room that nobody needs any more
  if (window() != 0)
    std::ranges::sort(rows_, {}, [](const Sample& row) { return std::tuple(counter_of(row), row.thread, row.node); });
  return std::move(rows_);
}

}  // namespace oriel::profile
