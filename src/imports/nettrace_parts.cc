#include "imports/nettrace_parts.h"

#include <ctime>
#include <string>

namespace oriel::imports {
namespace {

// How many numbers were left out; numbers that go back are of a damaged file.
uint32_t gap(uint32_t expected, uint32_t number) {
  const auto difference = static_cast<int32_t>(number - expected);
  return difference > 0 ? static_cast<uint32_t>(difference) : 0;
}

}  // namespace

void read_packed_header(TraceCursor& in, TraceLabels labels, TraceHeader& header) {
  constexpr uint8_t kKind = 1, kCapture = 2, kThread = 4, kStack = 8, kLabels = 16, kRelated = 32, kPayload = 128;
  const bool is_list = labels == TraceLabels::kList;
  const auto flags = in.number<uint8_t>();
  if ((flags & kKind) != 0) header.kind = static_cast<uint32_t>(in.varint());
  if ((flags & kCapture) != 0) {
    header.sequence += static_cast<uint32_t>(in.varint());
    header.capture_thread = in.varint();
    header.processor = static_cast<uint32_t>(in.varint());
  }
  if (is_list || header.kind != 0) ++header.sequence;
  if ((flags & kThread) != 0) header.thread = in.varint();
  if ((flags & kStack) != 0) header.stack = static_cast<uint32_t>(in.varint());
  header.time += in.varint();
  if (is_list) {
    if ((flags & kLabels) != 0) header.labels = static_cast<uint32_t>(in.varint());
  } else {
    if ((flags & kLabels) != 0) in.skip(16);
    if ((flags & kRelated) != 0) in.skip(16);
  }
  if ((flags & kPayload) != 0) header.payload = static_cast<uint32_t>(in.varint());
}

void read_plain_header(TraceCursor& in, TraceLabels labels, TraceHeader& header) {
  constexpr uint32_t kUnsorted = 1u << 31;
  in.skip(4);  // size of the rest
  header.kind = in.number<uint32_t>() & ~kUnsorted;
  header.sequence = in.number<uint32_t>();
  header.thread = in.number<uint64_t>();
  header.capture_thread = in.number<uint64_t>();
  header.processor = in.number<uint32_t>();
  header.stack = in.number<uint32_t>();
  header.time = in.number<uint64_t>();
  if (labels == TraceLabels::kList)
    header.labels = in.number<uint32_t>();
  else
    in.skip(32);
  header.payload = in.number<uint32_t>();
}

Status other_version(uint32_t version) {
  return Status::error("it has version " + std::to_string(version) + " of the format; versions 4 and 6 can be read");
}

uint64_t read_trace_time(TraceCursor& in) {
  std::tm time{};
  time.tm_year = in.number<uint16_t>() - 1900;
  time.tm_mon = in.number<uint16_t>() - 1;
  in.skip(2);  // day of the week
  time.tm_mday = in.number<uint16_t>();
  time.tm_hour = in.number<uint16_t>();
  time.tm_min = in.number<uint16_t>();
  time.tm_sec = in.number<uint16_t>();
  const auto milliseconds = in.number<uint16_t>();
  const bool is_time = time.tm_year >= 100 && time.tm_year < 1100 && time.tm_mon < 12 && time.tm_mday < 32;
  const time_t seconds = is_time ? timegm(&time) : 0;
  return seconds > 0 ? static_cast<uint64_t>(seconds) * 1'000'000 + milliseconds * 1000u : 0;
}

bool TraceStackTable::read(TraceCursor in) {
  auto number = in.number<uint32_t>();
  const auto count = in.number<uint32_t>();
  for (uint32_t i = 0; i < count && in.left() > 0; ++i, ++number) {
    const auto size = in.number<uint32_t>();
    const std::span<const uint8_t> bytes = in.take(size);
    if (in.failed()) break;
    places_[number] = {bytes_.size(), bytes.size()};
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  return !in.failed();
}

std::span<const uint8_t> TraceStackTable::find(uint32_t number) const {
  const auto known = places_.find(number);
  return known == places_.end() ? std::span<const uint8_t>()
                                : std::span(bytes_).subspan(known->second.at, known->second.size);
}

void TraceStackTable::clear() {
  places_.clear();
  bytes_.clear();
}

void TraceGaps::event(uint64_t thread, uint32_t sequence) {
  const auto [its, is_first] = threads_.try_emplace(thread, sequence);
  if (!is_first) lost_ += gap(its->second + 1, sequence);
  its->second = sequence;
}

void TraceGaps::point(uint64_t thread, uint32_t sequence) {
  const auto [its, is_first] = threads_.try_emplace(thread, sequence);
  // The point may be at the number of the next event.
  if (!is_first) lost_ += gap(its->second, sequence);
  its->second = sequence;
}

}  // namespace oriel::imports
