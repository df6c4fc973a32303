#include "imports/nettrace_packed.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "imports/nettrace_parts.h"
#include "imports/trace_cursor.h"

namespace oriel::imports {
namespace {

enum class BlockKind : uint8_t {
  kEnd,
  kTrace,
  kEvents,
  kKinds,
  kPoint,
  kStacks,
  kThreads,
  kRemovedThreads,
  kLabels,
  kUnknown,
};

constexpr uint64_t kBeginBytes = 20;  // "Nettrace", a number 0, the version in two numbers
constexpr uint32_t kVersion = 6;

uint64_t number_in(const std::string& text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

class PackedReader {
 public:
  PackedReader(const TraceBytes& file, TraceSink& sink, const std::function<void(uint64_t)>& progress)
      : file_(file), sink_(sink), progress_(progress) {}

  Result<TraceOutcome> read() {
    if (Status status = read_begin(); !status) return status;
    while (!outcome_.ended && read_block()) {
      if (progress_) progress_(at_);
    }
    outcome_.cut_bytes = outcome_.ended ? 0 : file_.size - std::min(at_, file_.size);
    outcome_.lost = gaps_.lost();
    sink_.on_point();
    return outcome_;
  }

 private:
  struct Thread {
    uint64_t process = 0;
    uint64_t id = 0;
    std::string name;
  };

  Status read_begin() {
    uint32_t major = 0;
    if (!file_.read(12, &major, sizeof major)) return Status::error("it is cut before its head, or damaged");
    if (major != kVersion) return other_version(major);
    at_ = kBeginBytes;
    if (!take_block() || kind_ != BlockKind::kTrace || !read_head(TraceCursor(block_)))
      return Status::error("it is cut before its head, or damaged");
    return Status::ok();
  }

  // Takes the block at at_, and what there is of it if the file ends in it; false if there is nothing.
  bool take_block() {
    uint32_t head = 0;
    if (!file_.read(at_, &head, sizeof head)) return false;
    const uint64_t begin = at_ + sizeof head;
    const uint64_t size = head & 0xff'ffff;
    is_whole_ = size <= file_.size - begin;
    block_.resize(is_whole_ ? size : file_.size - begin);
    if (!block_.empty() && !file_.read(begin, block_.data(), block_.size())) return false;
    kind_ = static_cast<BlockKind>(std::min(head >> 24, uint32_t{static_cast<uint8_t>(BlockKind::kUnknown)}));
    if (is_whole_) at_ = begin + size;
    return true;
  }

  // False where nothing more can be read.
  bool read_block() {
    if (!take_block()) return false;
    const bool is_read = read_contents(TraceCursor(block_));
    if (is_whole_ && !is_read) ++outcome_.damaged;
    return is_whole_ && !outcome_.ended;
  }

  // False: a part of it is damaged.
  bool read_contents(TraceCursor in) {
    switch (kind_) {
      case BlockKind::kEnd:
        outcome_.ended = true;
        return true;
      case BlockKind::kTrace:
        return false;  // there is one
      case BlockKind::kEvents:
        return read_events(in);
      case BlockKind::kKinds:
        return read_kinds(in);
      case BlockKind::kPoint:
        return read_point(in);
      case BlockKind::kStacks:
        return stacks_.read(in);
      case BlockKind::kThreads:
        return read_threads(in);
      case BlockKind::kRemovedThreads:
        return read_removed_threads(in);
      case BlockKind::kLabels:
        return read_labels(in);
      case BlockKind::kUnknown:
        ++outcome_.unknown;
        return true;
    }
    return true;
  }

  // When it begins, and facts as pairs of texts.
  bool read_head(TraceCursor in) {
    TraceHead& head = outcome_.head;
    head.version = kVersion;
    head.unix_us = read_trace_time(in);
    head.begin = in.number<uint64_t>();
    head.frequency = std::max<uint64_t>(in.number<uint64_t>(), 1);
    head.pointer_bytes = in.number<uint32_t>() == 4 ? 4 : 8;
    const auto facts = in.number<uint32_t>();
    if (in.failed()) return false;
    for (uint32_t i = 0; i < facts && in.left() > 0; ++i) {
      const std::string key = in.counted_text(), value = in.counted_text();
      const auto number = static_cast<uint32_t>(std::min<uint64_t>(number_in(value), UINT32_MAX));
      if (key == "HardwareThreadCount") head.processors = number;
      if (key == "ProcessId") head.pid = number;
      if (key == "ExpectedCPUSamplingRate") head.sampling_ns = number;
    }
    return true;
  }

  bool read_kinds(TraceCursor in) {
    in.skip(in.number<uint16_t>());
    while (in.left() > 0) {
      TraceCursor row(in.take(in.number<uint16_t>()));
      if (in.failed()) return false;
      const auto number = static_cast<uint32_t>(row.varint());
      TraceKind kind;
      kind.provider = row.counted_text();
      kind.id = static_cast<uint32_t>(row.varint());
      kind.name = row.counted_text();
      for (auto fields = row.number<uint16_t>(); fields > 0 && !row.failed(); --fields)
        row.skip(row.number<uint16_t>());
      if (row.failed()) return false;
      if (row.left() > 0) kind.version = version_in(TraceCursor(row.take(row.number<uint16_t>())));
      sink_.on_kind(number, kind);
    }
    return true;
  }

  // Of facts about a kind of event.
  static uint32_t version_in(TraceCursor facts) {
    enum : uint8_t { kOpCode = 1, kKeyword = 3, kMessage, kDescription, kPair, kProvider, kLevel, kVersionOf };
    while (facts.left() > 0) {
      switch (facts.number<uint8_t>()) {
        case kOpCode:
        case kLevel:
          facts.skip(1);
          break;
        case kKeyword:
          facts.skip(8);
          break;
        case kPair:
          facts.counted_text();
          [[fallthrough]];
        case kMessage:
        case kDescription:
          facts.counted_text();
          break;
        case kProvider:
          facts.skip(16);
          break;
        case kVersionOf:
          return facts.number<uint8_t>();
        default:
          return 0;  // what follows cannot be told apart
      }
    }
    return 0;
  }

  bool read_threads(TraceCursor in) {
    enum : uint8_t { kName = 1, kProcess, kId, kPair };
    while (in.left() > 0) {
      TraceCursor row(in.take(in.number<uint16_t>()));
      if (in.failed()) return false;
      const uint64_t index = row.varint();
      Thread thread;
      while (row.left() > 0) {
        const auto what = row.number<uint8_t>();
        if (what == kName) {
          thread.name = row.counted_text();
        } else if (what == kProcess) {
          thread.process = row.varint();
        } else if (what == kId) {
          thread.id = row.varint();
        } else if (what == kPair) {
          row.counted_text();
          row.counted_text();
        } else {
          break;
        }
      }
      if (row.failed()) return false;
      threads_[index] = std::move(thread);
    }
    return true;
  }

  bool read_removed_threads(TraceCursor in) {
    while (in.left() > 0) {
      const uint64_t index = in.varint(), sequence = in.varint();
      if (in.failed()) return false;
      gaps_.point(index, static_cast<uint32_t>(sequence));
      gaps_.forget(index);
      threads_.erase(index);
    }
    return true;
  }

  // Of labels only the version of an event matters here.
  bool read_labels(TraceCursor in) {
    enum : uint8_t { kActivity = 1, kRelated, kTrace, kSpan, kText, kNumber, kOpCode, kGroups, kLevel, kVersionOf };
    constexpr uint8_t kLast = 0x80;
    auto number = in.number<uint32_t>();
    const auto count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count && in.left() > 0; ++i, ++number) {
      uint8_t label = 0;
      while ((label & kLast) == 0 && in.left() > 0) {
        label = in.number<uint8_t>();
        switch (label & ~kLast) {
          case kActivity:
          case kRelated:
          case kTrace:
            in.skip(16);
            break;
          case kSpan:
          case kGroups:
            in.skip(8);
            break;
          case kText:
            in.counted_text();
            in.counted_text();
            break;
          case kNumber:
            in.counted_text();
            in.varint();
            break;
          case kOpCode:
          case kLevel:
            in.skip(1);
            break;
          case kVersionOf:
            versions_[number] = in.number<uint8_t>();
            break;
          default:
            return false;
        }
      }
    }
    return !in.failed();
  }

  bool read_point(TraceCursor in) {
    constexpr uint32_t kForgetThreads = 1;
    in.skip(8);  // when
    const auto flags = in.number<uint32_t>(), count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count && in.left() > 0; ++i) {
      const uint64_t thread = in.varint(), sequence = in.varint();
      if (!in.failed()) gaps_.point(thread, static_cast<uint32_t>(sequence));
    }
    sink_.on_point();
    stacks_.clear();
    versions_.clear();
    if ((flags & kForgetThreads) != 0) threads_.clear();
    return !in.failed();
  }

  bool read_events(TraceCursor in) {
    constexpr uint16_t kPacked = 1;
    const auto head_size = in.number<uint16_t>();
    const auto flags = in.number<uint16_t>();
    if (head_size < 4) return false;
    in.skip(head_size - 4u);
    TraceHeader header;
    while (in.left() > 0) {
      if ((flags & kPacked) != 0)
        read_packed_header(in, TraceLabels::kList, header);
      else
        read_plain_header(in, TraceLabels::kList, header);
      const std::span<const uint8_t> payload = in.take(header.payload);
      if (in.failed()) return false;
      take_event(header, payload);
    }
    return !in.failed();
  }

  void take_event(const TraceHeader& header, std::span<const uint8_t> payload) {
    gaps_.event(header.capture_thread, header.sequence);
    ++outcome_.events;
    TraceEvent event{.kind = header.kind, .time = header.time, .payload = payload};
    if (const auto thread = threads_.find(header.thread); thread != threads_.end()) {
      event.process = thread->second.process;
      event.thread = thread->second.id;
      event.name = thread->second.name;
    }
    if (const auto version = versions_.find(header.labels); version != versions_.end()) event.version = version->second;
    event.stack_number = header.stack;
    if (header.stack != 0) event.stack = stacks_.find(header.stack);
    sink_.on_event(event);
  }

  const TraceBytes& file_;
  TraceSink& sink_;
  const std::function<void(uint64_t)>& progress_;
  uint64_t at_ = 0;
  TraceOutcome outcome_;
  // The block that is read.
  std::vector<uint8_t> block_;
  BlockKind kind_ = BlockKind::kEnd;
  bool is_whole_ = false;
  // By the numbers that events refer to them with.
  std::unordered_map<uint64_t, Thread> threads_;
  std::unordered_map<uint32_t, uint32_t> versions_;  // of events with these labels
  TraceStackTable stacks_;
  TraceGaps gaps_;
};

}  // namespace

bool is_packed_trace(const TraceBytes& file) {
  uint8_t begin[12] = {};
  constexpr uint8_t kBegin[12] = {'N', 'e', 't', 't', 'r', 'a', 'c', 'e', 0, 0, 0, 0};
  return file.read(0, begin, sizeof begin) && std::memcmp(begin, kBegin, sizeof begin) == 0;
}

Result<TraceOutcome> read_packed_trace(const TraceBytes& file, TraceSink& sink,
                                       const std::function<void(uint64_t)>& progress) {
  return PackedReader(file, sink, progress).read();
}

}  // namespace oriel::imports
