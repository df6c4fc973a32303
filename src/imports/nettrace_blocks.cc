#include "imports/nettrace_blocks.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <string_view>
#include <utility>

#include "imports/trace_cursor.h"

namespace oriel::imports {
namespace {

using TraceSpan = std::span<const uint8_t>;

constexpr std::string_view kTraceMagic = "Nettrace";
constexpr std::string_view kTraceSignature = "!FastSerialization.1";
constexpr uint8_t kTraceNull = 1, kTraceBegin = 5, kTraceEnd = 6;
constexpr uint32_t kTraceVersion = 4;

class TraceReader {
 public:
  TraceReader(const TraceBytes& file, TraceSink& sink, const std::function<void(uint64_t)>& progress)
      : file_(file), sink_(sink), progress_(progress) {}

  Result<TraceOutcome> read() {
    if (Status status = read_begin(); !status) return status;
    while (!outcome_.ended && read_object()) {
      if (progress_) progress_(at_);
    }
    outcome_.cut_bytes = outcome_.ended ? 0 : file_.size - std::min(at_, file_.size);
    sink_.on_point();
    return outcome_;
  }

 private:
  struct Object {
    std::string name;
    uint32_t version = 0;
  };

  // How far a thread's events were numbered.
  struct OfThread {
    uint32_t last = 0;
    bool seen = false;
  };

  // The state of compressed headers, which each block begins anew.
  struct Header {
    uint32_t kind = 0, sequence = 0, processor = 0, stack = 0, payload = 0;
    uint64_t capture_thread = 0, thread = 0, time = 0;
    bool sorted = false;
  };

  bool take(void* to, size_t size) {
    if (size == 0) return true;  // nowhere to put it either
    if (!file_.read(at_, to, size)) return false;
    at_ += size;
    return true;
  }
  template <typename Number>
  bool take(Number& value) {
    return take(&value, sizeof value);
  }

  Status read_begin() {
    char magic[8] = {};
    uint32_t length = 0;
    std::string signature(kTraceSignature.size(), '\0');
    if (!take(magic, sizeof magic) || std::string_view(magic, sizeof magic) != kTraceMagic)
      return Status::error("it does not begin as a .nettrace file does");
    if (take(length) && length == 0) {
      uint32_t major = 0;
      take(major);
      return Status::error("it has version " + std::to_string(major) +
                           " of the format, as dotnet-trace collect-linux writes; version 4 can be read, which "
                           "dotnet-trace collect writes");
    }
    if (length != signature.size() || !take(signature.data(), signature.size()) || signature != kTraceSignature)
      return Status::error("it does not begin as a .nettrace file does");
    const std::optional<Object> trace = begin_object();
    if (!trace || trace->name != "Trace") return Status::error("it is cut before its head, or damaged");
    if (trace->version != kTraceVersion)
      return Status::error("it has version " + std::to_string(trace->version) +
                           " of the format; version 4 can be read");
    uint8_t head[48], end = 0;
    if (!take(head, sizeof head) || !take(end) || end != kTraceEnd)
      return Status::error("it is cut before its first block");
    read_head(head);
    return Status::ok();
  }

  void read_head(TraceSpan bytes) {
    TraceCursor in(bytes);
    TraceHead& head = outcome_.head;
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
    head.unix_us = seconds > 0 ? static_cast<uint64_t>(seconds) * 1'000'000 + milliseconds * 1000u : 0;
    head.begin = in.number<uint64_t>();
    head.frequency = std::max<uint64_t>(in.number<uint64_t>(), 1);
    head.pointer_bytes = in.number<uint32_t>() == 4 ? 4 : 8;
    head.pid = in.number<uint32_t>();
    head.processors = in.number<uint32_t>();
    head.sampling_ns = in.number<uint32_t>();
  }

  // At the begin of an object, up to its contents; nullopt at the end of the file and for anything else.
  std::optional<Object> begin_object() {
    constexpr uint32_t kMostName = 64;
    uint8_t tag[3] = {};
    uint32_t oldest = 0, length = 0;
    Object object;
    if (!take(tag[0])) return std::nullopt;
    if (tag[0] == kTraceNull) {
      outcome_.ended = true;
      return std::nullopt;
    }
    if (tag[0] != kTraceBegin || !take(tag[1]) || tag[1] != kTraceBegin || !take(tag[2]) || tag[2] != kTraceNull)
      return std::nullopt;
    if (!take(object.version) || !take(oldest) || !take(length) || length > kMostName) return std::nullopt;
    object.name.resize(length);
    uint8_t end = 0;
    if (!take(object.name.data(), length) || !take(end) || end != kTraceEnd) return std::nullopt;
    return object;
  }

  // False where nothing more can be read.
  bool read_object() {
    const uint64_t begin = at_;
    const std::optional<Object> object = begin_object();
    uint32_t size = 0;
    uint8_t end = 0;
    if (object && take(size)) {
      at_ = (at_ + 3) / 4 * 4;
      if (at_ <= file_.size && size <= file_.size - at_) {
        block_.resize(size);
        if (take(block_.data(), size) && take(end) && end == kTraceEnd) {
          read_block(object->name);
          return true;
        }
        at_ = begin;
        return false;
      }
      read_cut_block(*object);
    }
    if (!outcome_.ended) at_ = begin;
    return false;
  }

  // The whole items of a block that the file ends in.
  void read_cut_block(const Object& object) {
    if (at_ >= file_.size) return;
    block_.resize(file_.size - at_);
    if (!file_.read(at_, block_.data(), block_.size())) return;
    const uint64_t damaged = outcome_.damaged;
    read_block(object.name);
    outcome_.damaged = damaged;  // it is cut, which is said
  }

  void read_block(const std::string& name) {
    if (name == "EventBlock") return read_events(false);
    if (name == "MetadataBlock") return read_events(true);
    if (name == "StackBlock") return read_stacks();
    if (name == "SPBlock") return read_point();
    ++outcome_.unknown;
  }

  void read_stacks() {
    TraceCursor in(block_);
    auto number = in.number<uint32_t>();
    const auto count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count && in.left() > 0; ++i, ++number) {
      const auto size = in.number<uint32_t>();
      const TraceSpan bytes = in.take(size);
      if (in.failed()) break;
      stacks_[number] = {stack_bytes_.size(), bytes.size()};
      stack_bytes_.insert(stack_bytes_.end(), bytes.begin(), bytes.end());
    }
    outcome_.damaged += in.failed();
  }

  // How many numbers were left out; numbers that go back are of a damaged file.
  static uint32_t gap(uint32_t expected, uint32_t number) {
    const auto difference = static_cast<int32_t>(number - expected);
    return difference > 0 ? static_cast<uint32_t>(difference) : 0;
  }

  void read_point() {
    TraceCursor in(block_);
    in.skip(8);  // when
    const auto count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count && in.left() > 0; ++i) {
      const auto thread = in.number<uint64_t>();
      const auto sequence = in.number<uint32_t>();
      if (in.failed()) break;
      OfThread& its = threads_[thread];
      // The point may be at the number of the next event.
      if (its.seen) outcome_.lost += gap(its.last, sequence);
      its = {sequence, true};
    }
    outcome_.damaged += in.failed();
    sink_.on_point();
    stacks_.clear();
    stack_bytes_.clear();
  }

  void read_events(bool metadata) {
    TraceCursor in(block_);
    const auto head_size = in.number<uint16_t>();
    const auto flags = in.number<uint16_t>();
    if (head_size < 4) {
      ++outcome_.damaged;
      return;
    }
    in.skip(head_size - 4u);
    Header header;
    while (in.left() > 0) {
      if ((flags & 1) != 0)
        read_compressed(in, header);
      else
        read_plain(in, header);
      const TraceSpan payload = in.take(header.payload);
      if (in.failed()) {
        ++outcome_.damaged;
        return;
      }
      if ((flags & 1) == 0) in.skip(std::min<size_t>(in.left(), (4 - payload.size() % 4) % 4));
      metadata ? take_kind(payload) : take_event(header, payload);
    }
  }

  static void read_compressed(TraceCursor& in, Header& header) {
    const auto flags = in.number<uint8_t>();
    if ((flags & 1) != 0) header.kind = static_cast<uint32_t>(in.varint());
    if ((flags & 2) != 0) {
      header.sequence += static_cast<uint32_t>(in.varint());
      header.capture_thread = in.varint();
      header.processor = static_cast<uint32_t>(in.varint());
    }
    if (header.kind != 0) ++header.sequence;
    if ((flags & 4) != 0) header.thread = in.varint();
    if ((flags & 8) != 0) header.stack = static_cast<uint32_t>(in.varint());
    header.time += in.varint();
    if ((flags & 16) != 0) in.skip(16);
    if ((flags & 32) != 0) in.skip(16);
    header.sorted = (flags & 64) != 0;
    if ((flags & 128) != 0) header.payload = static_cast<uint32_t>(in.varint());
  }

  static void read_plain(TraceCursor& in, Header& header) {
    constexpr uint32_t kUnsorted = 1u << 31;
    in.skip(4);  // size of the rest
    const auto kind = in.number<uint32_t>();
    header.kind = kind & ~kUnsorted;
    header.sorted = (kind & kUnsorted) == 0;
    header.sequence = in.number<uint32_t>();
    header.thread = in.number<uint64_t>();
    header.capture_thread = in.number<uint64_t>();
    header.processor = in.number<uint32_t>();
    header.stack = in.number<uint32_t>();
    header.time = in.number<uint64_t>();
    in.skip(32);  // activities
    header.payload = in.number<uint32_t>();
  }

  void take_kind(TraceSpan payload) {
    TraceCursor in(payload);
    const auto number = in.number<uint32_t>();
    TraceKind kind;
    kind.provider = in.text();
    kind.id = in.number<uint32_t>();
    kind.name = in.text();
    in.skip(8);  // keywords
    kind.version = in.number<uint32_t>();
    if (in.failed()) {
      ++outcome_.damaged;
      return;
    }
    sink_.on_kind(number, kind);
  }

  void take_event(const Header& header, TraceSpan payload) {
    OfThread& its = threads_[header.capture_thread];
    if (its.seen) outcome_.lost += gap(its.last + 1, header.sequence);
    its = {header.sequence, true};
    ++outcome_.events;
    TraceEvent event{header.kind, header.thread, header.time, payload, 0, {}};
    if (header.stack != 0) {
      const auto known = stacks_.find(header.stack);
      event.stack_number = header.stack;
      if (known != stacks_.end()) event.stack = TraceSpan(stack_bytes_).subspan(known->second.at, known->second.size);
    }
    sink_.on_event(event);
  }

  struct StackPlace {
    size_t at = 0;
    size_t size = 0;
  };

  const TraceBytes& file_;
  TraceSink& sink_;
  const std::function<void(uint64_t)>& progress_;
  uint64_t at_ = 0;
  TraceOutcome outcome_;
  std::vector<uint8_t> block_;
  std::unordered_map<uint32_t, StackPlace> stacks_;
  std::vector<uint8_t> stack_bytes_;
  std::unordered_map<uint64_t, OfThread> threads_;
};

}  // namespace

Result<TraceOutcome> read_trace(const TraceBytes& file, TraceSink& sink,
                                const std::function<void(uint64_t)>& progress) {
  return TraceReader(file, sink, progress).read();
}

}  // namespace oriel::imports
