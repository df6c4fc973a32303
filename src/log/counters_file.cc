#include "log/counters_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "base/coverage_file.h"
#include "base/input_file.h"
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

// Where a method's points count, by index of its points.
struct Numbered {
  size_t method = 0;
  std::vector<uint64_t> counters;
};

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  Result<std::vector<Coverage>> read() {
    using coverage_file::Header;
    if (bytes_.size() < kUnit || std::memcmp(bytes_.data(), coverage_file::kMagic, sizeof coverage_file::kMagic) != 0)
      return Status::error("it holds no counters of coverage");
    if (value_at<uint32_t>(bytes_, offsetof(Header, version)) != coverage_file::kVersion)
      return Status::error("it is of another version of Oriel");
    methods_.counts = value_at<uint32_t>(bytes_, offsetof(Header, counts)) != 0;
    const auto period = value_at<uint64_t>(bytes_, offsetof(Header, period));
    const auto ended = value_at<uint64_t>(bytes_, offsetof(Header, ended_period));
    list_segments(value_at<uint64_t>(bytes_, offsetof(Header, bytes)));
    for (const SegmentView& segment : segments_)
      if (segment.kind == Kind::kRecords) read_records(segment.data);
    std::vector<Coverage> periods;
    if (ended != coverage_file::kNoPeriod && ended != period) periods.push_back(counted(ended, {Kind::kEnded}));
    // Of a period that was just being ended hits may be in either; counts were all there by then.
    if (ended == period && methods_.counts)
      periods.push_back(counted(period, {Kind::kEnded}));
    else if (ended == period)
      periods.push_back(counted(period, {Kind::kLive, Kind::kKept, Kind::kEnded}));
    else
      periods.push_back(counted(period, {Kind::kLive, Kind::kKept}));
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
        methods_.images.push_back(std::move(image));
      } else if (kind == coverage_file::Record::kSum) {
        if (!read_sum(in)) return;
      } else if (kind != coverage_file::Record::kMethod || !read_method(in)) {
        return;
      }
    }
  }

  bool read_method(Cursor& in) {
    CoveredMethod method;
    Numbered numbered;
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
    for (uint64_t i = 0; i < points; ++i) {
      uint64_t place = 0, outcome = 0, counter = 0;
      CoveragePoint point;
      if (!in.integer(place)) return false;
      point.il = fitting(place >> 2, CoveragePoint::kMostIl) & CoveragePoint::kMostIl;
      point.is_outcome = (place & 2) != 0;
      if ((point.is_outcome && !in.integer(outcome)) || !in.integer(counter)) return false;
      point.outcome = fitting(outcome);
      method.points.push_back(point);
      numbered.counters.push_back(first + counter);
    }
    numbered.method = methods_.methods.size();
    numbered_.push_back(std::move(numbered));
    methods_.methods.push_back(std::move(method));
    return true;
  }

  bool read_sum(Cursor& in) {
    uint64_t counter = 0, terms = 0;
    if (!in.integer(counter) || !in.integer(terms)) return false;
    std::vector<uint64_t>& of = sums_[counter];
    for (uint64_t i = 0, term = 0; i < terms; ++i) {
      if (!in.integer(term)) return false;
      of.push_back(term);
    }
    return true;
  }

  Coverage counted(uint64_t period, std::initializer_list<Kind> kinds) const {
    Coverage coverage = methods_;
    coverage.period = period;
    const Counts counts = counts_in(kinds);
    for (const Numbered& method : numbered_) {
      std::vector<CoveragePoint>& points = coverage.methods[method.method].points;
      for (size_t i = 0; i < points.size(); ++i) points[i].count = counts.at(method.counters[i]);
    }
    return coverage;
  }

  using Counts = std::map<uint64_t, uint64_t>;  // by counter

  // Of all counters that points have. Each segment is gone through once, and each sum is added up once.
  Counts counts_in(std::initializer_list<Kind> kinds) const {
    Counts counts;
    for (const Numbered& method : numbered_)
      for (const uint64_t counter : method.counters) counts[counter] = 0;
    for (const auto& [counter, terms] : sums_)
      for (const uint64_t term : terms) counts[term] = 0;
    for (const SegmentView& segment : segments_)
      if (std::ranges::find(kinds, segment.kind) != kinds.end()) add(segment, counts);
    Counts sums;
    for (const auto& [counter, terms] : sums_)
      for (const uint64_t term : terms) sums[counter] += counts.at(term);
    for (const auto& [counter, sum] : sums)
      if (const auto found = counts.find(counter); found != counts.end()) found->second = sum;
    return counts;
  }

  static void add(const SegmentView& segment, Counts& counts) {
    const uint64_t size = segment.data.size() / segment.width;
    for (auto at = counts.lower_bound(segment.first); at != counts.end() && at->first - segment.first < size; ++at) {
      const uint64_t index = at->first - segment.first;
      if (segment.width == 8) {
        const auto value = value_at<uint64_t>(segment.data, index * 8);
        at->second += segment.kind == Kind::kKept ? 0 - value : value;
      }
      if (segment.width == 1) at->second |= segment.data[index] != 0 ? 1 : 0;
    }
  }

  const std::span<const uint8_t> bytes_;
  std::vector<SegmentView> segments_;
  Coverage methods_;  // with points that have no counts
  std::vector<Numbered> numbered_;
  std::map<uint64_t, std::vector<uint64_t>> sums_;  // by counter, what others it is the sum of
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
