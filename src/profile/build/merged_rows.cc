#include "profile/build/merged_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/random.h"
#include "profile/hashed_rows.h"

namespace oriel::profile {
namespace {

uint64_t counter_of(const Sample& sample) { return static_cast<uint64_t>(sample.ns); }

uint64_t hash_of(const Sample& row, unsigned shift) { return mix(mix(row.thread, row.node), counter_of(row) >> shift); }

// Of so many threads with their stacks, the rows of one: enough to tell how many rows are alike.
constexpr size_t kPart = 64;  // as 26 of 32 bits are not looked at
std::vector<Sample> part_of(const std::vector<std::vector<Sample>>& rows) {
  std::vector<Sample> part;
  for (const std::vector<Sample>& of_thread : rows)
    for (const Sample& row : of_thread)
      if ((row.node ^ row.thread << 16) * uint32_t{0x9E37'79B1} >> 26 == 0) part.push_back(row);
  return part;
}

// How many rows windows of that length would leave, told from a part of the rows.
size_t rows_left(const std::vector<Sample>& part, unsigned shift) {
  std::vector<uint64_t> hashes;
  for (const Sample& row : part) hashes.push_back(hash_of(row, shift));
  std::ranges::sort(hashes);
  return static_cast<size_t>(std::unique(hashes.begin(), hashes.end()) - hashes.begin()) * kPart;
}

// About the time that the rows cover, in counters. A few that are far from all others do not count.
uint64_t time_of(const std::vector<std::vector<Sample>>& rows, size_t count) {
  const size_t step = std::max<size_t>(1, count / 1000);
  std::vector<uint64_t> counters;
  size_t skip = 0;
  for (const std::vector<Sample>& of_thread : rows) {
    for (; skip < of_thread.size(); skip += step) counters.push_back(counter_of(of_thread[skip]));
    skip -= of_thread.size();
  }
  if (counters.empty()) return 0;
  std::ranges::sort(counters);
  return counters[counters.size() * 99 / 100] - counters[counters.size() / 100];
}

// Windows of at least this part of the time.
unsigned shift_for(uint64_t time, uint64_t windows) { return static_cast<unsigned>(std::bit_width(time / windows)); }

// Nobody sees the first ones. The longest leave a coarse time line.
constexpr uint64_t kMostWindows = 1 << 14, kFewestWindows = 1 << 2;

// A sample without a stack has what is no node's index.
uint32_t place_of(uint32_t node) { return node + 1; }

}  // namespace

// Each thread has room for its part of the most, as far as these rows tell: growing step by step would touch, and copy,
// about as much again.
MergedRows::MergedRows(size_t most, std::span<const Sample> rows) : most_(most) {
  std::vector<size_t> counts;
  for (const Sample& row : rows) {
    if (row.thread >= counts.size()) counts.resize(size_t{row.thread} + 1);
    ++counts[row.thread];
  }
  rows_.resize(counts.size());
  for (size_t thread = 0; thread < counts.size(); ++thread) rows_[thread].reserve(counts[thread] * most / rows.size());
  append(rows);
}

void MergedRows::join(const Sample& sample, Sample& row) {
  row.periods += sample.periods;
  const auto drawn =
      static_cast<uint64_t>(__extension__ static_cast<unsigned __int128>(next_random(random_)) * row.periods >> 64);
  if (drawn < sample.periods) row.ns = sample.ns;  // it is from 0 to below the row's periods
}

void MergedRows::merge(std::vector<Sample>& rows) {
  uint64_t window = 0;
  size_t kept = 0;
  for (const Sample& row : rows) {
    const uint64_t its = counter_of(row) >> shift_;
    if (&row == rows.data() || its != window) ++windows_;
    window = its;
    Place& place = places_[place_of(row.node)];
    if (place.window == windows_) {
      join(row, rows[place.row]);
      continue;
    }
    place = {windows_, static_cast<uint32_t>(kept)};
    rows[kept++] = row;
  }
  rows.resize(kept);
}

void MergedRows::merge_all() {
  if (last_place_ >= places_.size()) places_.resize(size_t{last_place_} + 1);
  if (windows_ > UINT32_MAX - used_) {  // numbers would come again
    std::ranges::fill(places_, Place{});
    windows_ = 0;
  }
  used_ = 0;
  for (std::vector<Sample>& rows : rows_) {
    merge(rows);
    used_ += rows.size();
  }
}

void MergedRows::make_room() {
  const std::vector<Sample> part = part_of(rows_);
  const uint64_t time = time_of(rows_, used_);
  const unsigned longest = std::max(shift_, shift_for(time, kFewestWindows));
  if (rows_left(part, longest) > most_ / 2) {
    most_ *= 2;
    return;
  }
  if (shift_ == 0) shift_ = std::max(1u, shift_for(time, kMostWindows));
  while (shift_ < longest && rows_left(part, shift_) > most_ / 2) ++shift_;
  // Where there are few stacks, none of them may be in the part.
  for (merge_all(); used_ > most_ / 2 && shift_ < longest; merge_all()) ++shift_;
  if (used_ > most_ / 2) most_ *= 2;
}

void MergedRows::add(std::span<const Sample> samples) {
  while (!samples.empty()) {
    while (used_ >= most_) make_room();
    const auto some = samples.first(std::min(samples.size(), most_ - used_));
    append(some);
    samples = samples.subspan(some.size());
  }
}

void MergedRows::append(std::span<const Sample> samples) {
  for (const Sample& sample : samples) {
    const auto weight = static_cast<double>(sample.periods);
    periods_ += weight;
    squares_ += weight * weight;
    last_place_ = std::max(last_place_, place_of(sample.node));
  }
  used_ += samples.size();
  for (auto begin = samples.begin(); begin != samples.end();) {
    const uint32_t thread = begin->thread;
    const auto end = std::find_if(begin, samples.end(), [&](const Sample& one) { return one.thread != thread; });
    if (thread >= rows_.size()) rows_.resize(size_t{thread} + 1);
    rows_[thread].insert(rows_[thread].end(), begin, end);
    begin = end;
  }
}

std::vector<Sample> MergedRows::take() {
  if (shift_ != 0) merge_all();
  std::vector<Place>().swap(places_);
  std::vector<Sample> all;
  all.reserve(used_);
  for (std::vector<Sample>& rows : rows_) {
    all.insert(all.end(), rows.begin(), rows.end());
    std::vector<Sample>().swap(rows);
  }
  used_ = 0;
  return all;
}

}  // namespace oriel::profile
