#include "log/counters_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>

#include "base/files/coverage_file.h"
#include "base/files/input_file.h"
#include "log/field_reader.h"
#include "log/layout.h"

namespace oriel::log {
namespace {

using coverage_file::Kind;
using coverage_file::kSegmentHeader;
using coverage_file::kUnit;

template <typename Value>
Value value_at(std::span<const uint8_t> bytes, size_t offset) {
  Value value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct SegmentView {
  Kind kind = Kind::kRecords;
  uint32_t width = 0;
  uint64_t first = 0;
  std::span<const uint8_t> data;
};

// A counter that is the sum of others: a range in `terms`.
struct Sum {
  uint64_t counter = 0;
  size_t first = 0, count = 0;
};

// Sorted counter numbers with their counts. A file has millions, so each is only a number and a count.
class Counts {
 public:
  void want(uint64_t counter) {
    if (counters_.size() >= most_) unite();
    counters_.push_back(counter);
  }
  // Call after the last counter was added; all counts are then 0.
  void begin() {
    unite();
    counters_.shrink_to_fit();
    counts_.assign(counters_.size(), 0);
  }
  size_t from(uint64_t counter) const {
    return static_cast<size_t>(std::ranges::lower_bound(counters_, counter) - counters_.begin());
  }
  size_t size() const { return counters_.size(); }
  uint64_t counter(size_t at) const { return counters_[at]; }
  uint64_t& count(size_t at) { return counts_[at]; }
  // For a counter that was added.
  uint64_t& of(uint64_t counter) { return counts_[from(counter)]; }

 private:
  void unite() {
    std::ranges::sort(counters_);
    counters_.erase(std::unique(counters_.begin(), counters_.end()), counters_.end());
    most_ = std::max(most_, 2 * counters_.size());
  }

  std::vector<uint64_t> counters_, counts_;
  size_t most_ = 1 << 16;
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  Result<std::vector<Coverage>> read() {
    using coverage_file::Header;
    if (bytes_.size() < kUnit || std::memcmp(bytes_.data(), coverage_file::kMagic, sizeof coverage_file::kMagic) != 0)
      return Status::error("it holds no counters of coverage");
    if (value_at<uint32_t>(bytes_, offsetof(Header, version)) != coverage_file::kVersion)
      return Status::error("it is from another version of Oriel");
    methods_.counts = value_at<uint32_t>(bytes_, offsetof(Header, counts)) != 0;
    const auto period = value_at<uint64_t>(bytes_, offsetof(Header, period));
    const auto ended = value_at<uint64_t>(bytes_, offsetof(Header, ended_period));
    list_segments(value_at<uint64_t>(bytes_, offsetof(Header, bytes)));
    for (const SegmentView& segment : segments_)
      if (segment.kind == Kind::kRecords) read_records(segment.data);
    std::vector<Coverage> periods;
    if (ended != coverage_file::kNoPeriod && ended != period)
      periods.push_back(counted(methods_, ended, {Kind::kEnded}));
    // While a period is being ended, its hits may be in either place; counts are complete by then.
    std::vector<Kind> kinds = {Kind::kLive, Kind::kKept};
    if (ended == period) kinds = {Kind::kLive, Kind::kKept, Kind::kEnded};
    if (ended == period && methods_.counts) kinds = {Kind::kEnded};
    periods.push_back(counted(std::move(methods_), period, kinds));
    return periods;
  }

 private:
  void list_segments(uint64_t end) {
    using coverage_file::Segment;
    end = std::min<uint64_t>(end, bytes_.size());
    for (uint64_t at = kUnit; at + kSegmentHeader <= end;) {
      const auto size = value_at<uint64_t>(bytes_, at + offsetof(Segment, bytes));
      if (size < kSegmentHeader || size > end - at) return;
      const auto used = value_at<uint64_t>(bytes_, at + offsetof(Segment, used));
      SegmentView segment{value_at<Kind>(bytes_, at + offsetof(Segment, kind)),
                          value_at<uint32_t>(bytes_, at + offsetof(Segment, width)),
                          value_at<uint64_t>(bytes_, at + offsetof(Segment, first)),
                          bytes_.subspan(at + kSegmentHeader, size - kSegmentHeader)};
      const bool is_counters = segment.width == 1 || segment.width == 8;
      if (is_counters) {
        const uint64_t all = segment.data.size() / segment.width;
        segment.data = segment.data.first(std::min(used, all) * segment.width);
        segments_.push_back(segment);
      }
      at += size;
    }
  }

  void read_records(std::span<const uint8_t> records) {
    Cursor in{records.data(), records.data() + records.size()};
    while (in.left() != 0) {
      const auto kind = static_cast<coverage_file::Record>(*in.at++);
      if (kind == coverage_file::Record::kImage) {
        CoverageImage image;
        if (!read_record(in, kVersion2, image)) return;
        if (methods_.images.size() < most_images(bytes_.size())) methods_.images.push_back(std::move(image));
      } else if (kind == coverage_file::Record::kSum) {
        if (!read_sum(in)) return;
      } else if (kind != coverage_file::Record::kMethod || !read_method(in)) {
        return;
      }
    }
  }

  bool read_method(Cursor& in) {
    MethodHits method;
    uint64_t first = 0, points = 0;
    const auto text = [&](std::string& to) {
      const void* end = in.left() != 0 ? std::memchr(in.at, 0, in.left()) : nullptr;
      if (end == nullptr) return false;
      to.assign(reinterpret_cast<const char*>(in.at), static_cast<const uint8_t*>(end) - in.at);
      make_valid_utf8(to);
      in.at = static_cast<const uint8_t*>(end) + 1;
      return true;
    };
    if (!in.integer(method.image) || !in.integer(method.row) || !text(method.name) || !in.integer(first) ||
        !in.integer(points))
      return false;
    constexpr uint64_t kLeastOfAPoint = 2;  // bytes: its place and its counter
    method.points.reserve(std::min<uint64_t>(points, in.left() / kLeastOfAPoint));
    for (uint64_t i = 0; i < points; ++i) {
      uint64_t place = 0, outcome = 0, counter = 0;
      CoverageHit point;
      if (!in.integer(place)) return false;
      point.il = fitting(place >> 2, CoverageHit::kMostIl) & CoverageHit::kMostIl;
      point.is_outcome = (place & 2) != 0;
      if ((point.is_outcome && !in.integer(outcome)) || !in.integer(counter)) return false;
      point.outcome = fitting(outcome);
      point.count = first + counter;
      method.points.push_back(point);
    }
    methods_.methods.push_back(std::move(method));
    return true;
  }

  bool read_sum(Cursor& in) {
    uint64_t counter = 0, terms = 0;
    if (!in.integer(counter) || !in.integer(terms)) return false;
    const Sum sum{counter, terms_.size(), terms};
    for (uint64_t i = 0, term = 0; i < terms; ++i) {
      if (!in.integer(term)) return false;
      terms_.push_back(term);
    }
    sums_.push_back(sum);
    return true;
  }

  // `methods`: their points have counter numbers instead of counts.
  Coverage counted(Coverage methods, uint64_t period, const std::vector<Kind>& kinds) const {
    methods.period = period;
    Counts counts = counts_in(methods, kinds);
    for (MethodHits& method : methods.methods)
      for (CoverageHit& point : method.points) point.count = counts.of(point.count);
    return methods;
  }

  // The counts of all counters of points. Each segment is read once, and each sum is computed once.
  Counts counts_in(const Coverage& methods, const std::vector<Kind>& kinds) const {
    Counts counts;
    for (const MethodHits& method : methods.methods)
      for (const CoverageHit& point : method.points) counts.want(point.count);
    for (const Sum& sum : sums_) counts.want(sum.counter);
    for (const uint64_t term : terms_) counts.want(term);
    counts.begin();
    for (const SegmentView& segment : segments_)
      if (std::ranges::find(kinds, segment.kind) != kinds.end()) add(segment, counts);
    add_sums(counts);
    return counts;
  }

  // Terms have their measured counts, even if they are sums themselves.
  void add_sums(Counts& counts) const {
    std::vector<uint64_t> added(sums_.size());
    for (size_t i = 0; i < sums_.size(); ++i)
      for (size_t term = 0; term < sums_[i].count; ++term) added[i] += counts.of(terms_[sums_[i].first + term]);
    for (const Sum& sum : sums_) counts.of(sum.counter) = 0;
    for (size_t i = 0; i < sums_.size(); ++i) counts.of(sums_[i].counter) += added[i];
  }

  static void add(const SegmentView& segment, Counts& counts) {
    const uint64_t size = segment.data.size() / segment.width;
    for (size_t at = counts.from(segment.first); at < counts.size() && counts.counter(at) - segment.first < size;
         ++at) {
      const uint64_t index = counts.counter(at) - segment.first;
      uint64_t& count = counts.count(at);
      if (segment.width == 8) {
        const auto value = value_at<uint64_t>(segment.data, index * 8);
        count += segment.kind == Kind::kKept ? 0 - value : value;
      }
      if (segment.width == 1) count |= segment.data[index] != 0 ? 1 : 0;
    }
  }

  const std::span<const uint8_t> bytes_;
  std::vector<SegmentView> segments_;
  Coverage methods_;  // points have a counter number instead of a count
  std::deque<Sum> sums_;
  std::deque<uint64_t> terms_;  // counter numbers
};

}  // namespace

std::string counters_file_of(const std::string& log) { return log + coverage_file::kEnding; }

Result<std::vector<Coverage>> read_counters(std::span<const uint8_t> bytes) { return Reader(bytes).read(); }

Result<std::vector<Coverage>> read_counters_beside(const std::string& log) {
  constexpr uint64_t kMostBytes = uint64_t{4} << 30;
  const std::string path = counters_file_of(log);
  if (access(path.c_str(), F_OK) != 0) return std::vector<Coverage>();
  const Result<std::vector<uint8_t>> bytes = read_input(path, kMostBytes);
  return bytes ? read_counters(*bytes) : bytes.status();
}

}  // namespace oriel::log
