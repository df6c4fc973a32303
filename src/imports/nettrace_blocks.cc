#include "imports/nettrace_blocks.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "imports/nettrace_packed.h"
#include "imports/nettrace_parts.h"
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
    outcome_.lost = gaps_.lost();
    sink_.on_point();
    return outcome_;
  }

 private:
  struct Object {
    std::string name;
    uint32_t version = 0;
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
    if (!take(length) || length != signature.size() || !take(signature.data(), signature.size()) ||
        signature != kTraceSignature)
      return Status::error("it does not begin as a .nettrace file does");
    const std::optional<Object> trace = begin_object();
    if (!trace || trace->name != "Trace") return Status::error("it is cut before its head, or damaged");
    if (trace->version != kTraceVersion) return other_version(trace->version);
    uint8_t head[48], end = 0;
    if (!take(head, sizeof head) || !take(end) || end != kTraceEnd)
      return Status::error("it is cut before its first block");
    read_head(head);
    return Status::ok();
  }

  void read_head(TraceSpan bytes) {
    TraceCursor in(bytes);
    TraceHead& head = outcome_.head;
    head.unix_us = read_trace_time(in);
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
    if (name == "StackBlock") return void(outcome_.damaged += !stacks_.read(TraceCursor(block_)));
    if (name == "SPBlock") return read_point();
    ++outcome_.unknown;
  }

  void read_point() {
    TraceCursor in(block_);
    in.skip(8);  // when
    const auto count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count && in.left() > 0; ++i) {
      const auto thread = in.number<uint64_t>();
      const auto sequence = in.number<uint32_t>();
      if (in.failed()) break;
      gaps_.point(thread, sequence);
    }
    outcome_.damaged += in.failed();
    sink_.on_point();
    stacks_.clear();
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
    TraceHeader header;
    while (in.left() > 0) {
      if ((flags & 1) != 0)
        read_packed_header(in, TraceLabels::kActivities, header);
      else
        read_plain_header(in, TraceLabels::kActivities, header);
      const TraceSpan payload = in.take(header.payload);
      if (in.failed()) {
        ++outcome_.damaged;
        return;
      }
      if ((flags & 1) == 0) in.skip(std::min<size_t>(in.left(), (4 - payload.size() % 4) % 4));
      metadata ? take_kind(payload) : take_event(header, payload);
    }
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

  void take_event(const TraceHeader& header, TraceSpan payload) {
    gaps_.event(header.capture_thread, header.sequence);
    ++outcome_.events;
    TraceEvent event{.kind = header.kind, .thread = header.thread, .time = header.time, .payload = payload};
    event.stack_number = header.stack;
    if (header.stack != 0) event.stack = stacks_.find(header.stack);
    sink_.on_event(event);
  }

  const TraceBytes& file_;
  TraceSink& sink_;
  const std::function<void(uint64_t)>& progress_;
  uint64_t at_ = 0;
  TraceOutcome outcome_;
  std::vector<uint8_t> block_;
  TraceStackTable stacks_;
  TraceGaps gaps_;
};

}  // namespace

Result<TraceOutcome> read_trace(const TraceBytes& file, TraceSink& sink,
                                const std::function<void(uint64_t)>& progress) {
  return is_packed_trace(file) ? read_packed_trace(file, sink, progress) : TraceReader(file, sink, progress).read();
}

}  // namespace oriel::imports
