#include "log/version1.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <new>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/text/utf8.h"
#include "log/event_codes.h"
#include "log/place.h"
#include "log/version1_blocks.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

struct Words {
  const char* one;
  const char* many;
};

// What is left out of what is written.
enum class Detail : uint8_t {
  kStack,
  kNoStack,
  kWait,
  kPeriods,
  kCompiling,
  kSite,
  kAllocationStack,
  kLeave,
  kUnknownLeave,
  kSegment,
  kCallsLost,
  kCode,
  kReason,
  kThrow,
  kHeapParts,
  kLetters,
  kRawName,
  kProperty,
  kNative,
  kThread,
  kImage,
  kFact,
  kUsage,
  kCounter,
  kLost,
  kOptions,
  kCallNode,
  kCovered,
  kSnapshot,
  kOther,
  kDamaged,
  kTorn,
  kCount
};

constexpr std::array<Words, static_cast<size_t>(Detail::kCount)> kWords = {{
    {"sample's thread and callers", "samples' threads and callers"},
    {"sample without a stack", "samples without a stack"},
    {"sample of a thread that waits", "samples of threads that wait"},
    {"period of a sample that stands for more than 64", "periods of samples that stand for more than 64"},
    {"sample's compiled method", "samples' compiled methods"},
    {"allocation's method", "allocations' methods"},
    {"allocation's stack", "allocations' stacks"},
    {"end of a call by an exception or a tail call", "ends of calls by exceptions or tail calls"},
    {"end of a call that is not in the log", "ends of calls that are not in the log"},
    {"measure of time between calls", "measures of time between calls"},
    {"place where calls were lost", "places where calls were lost"},
    {"compiled method's place and size", "compiled methods' places and sizes"},
    {"collection's number and reason", "collections' numbers and reasons"},
    {"thrown exception's stack", "thrown exceptions' stacks"},
    {"collection's parts of the heap", "collections' parts of the heap"},
    {"name's letters that are not ASCII", "names' letters that are not ASCII"},
    {"method's name in metadata", "methods' names in metadata"},
    {"property of the run", "properties of the run"},
    {"native function's name", "native functions' names"},
    {"thread's name", "threads' names"},
    {"image's name", "images' names"},
    {"other fact about code", "other facts about code"},
    {"count of what the process used", "counts of what the process used"},
    {"counter of Oriel's own", "counters of Oriel's own"},
    {"reason for losses", "reasons for losses"},
    {"change of options", "changes of options"},
    {"node of call graphs", "nodes of call graphs"},
    {"method's coverage", "methods' coverage"},
    {"heap snapshot", "heap snapshots"},
    {"record of another kind", "records of other kinds"},
    {"damaged block", "damaged blocks"},
    {"byte behind the last whole block", "bytes behind the last whole block"},
}};

// Frames of the tree of stacks by their nodes, without their callers: hits are all that version 1 has.
class Leaves {
 public:
  struct Frame {
    FrameKind kind = FrameKind::kManaged;
    uint64_t id = 0;  // 0: the node is not known
  };
  void add(const StackNode& node) {
    const uint64_t packed = node.frame << 1 | static_cast<uint64_t>(node.kind == FrameKind::kNative);
    if (node.id == dense_.size())
      dense_.push_back(packed);
    else
      sparse_[node.id] = packed;
  }
  Frame of(uint64_t node) const {
    const auto found = node < dense_.size() ? sparse_.end() : sparse_.find(node);
    const uint64_t packed = node < dense_.size() ? dense_[node] : found != sparse_.end() ? found->second : 0;
    return {(packed & 1) != 0 ? FrameKind::kNative : FrameKind::kManaged, packed >> 1};
  }
  void forget() {
    dense_.resize(1);
    sparse_.clear();
  }

 private:
  std::vector<uint64_t> dense_ = {0};  // nodes come as 1, 2, 3, …
  std::unordered_map<uint64_t, uint64_t> sparse_;
};

// Hears a log and writes it. What a record or an event says that version 1 has no place for is counted.
class Version1Sink final : public EventSink {
 public:
  explicit Version1Sink(int file) : blocks_(file) {}

#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) \
  void on_##name(const Record& record) override { take(record); }
#include "log/blocks.def"
#define ORIEL_RECORD(function, name, Record) \
  void on_##function(const Record& record) override { take(record); }
#include "log/records.def"
  void on_clock(const ClockPair& clock) override { blocks_.clock(clock); }
  void on_event(const Event& event) override;
  void on_calls(uint64_t thread, std::span<const Call> calls) override {
    for (const Call& call : calls) take_call(thread, call.counter, call.number, call.method);
  }
  void on_stack_node(const StackNode& node) override { leaves_.add(node); }
  void on_sample(uint64_t thread, const Sample& sample) override;
  void on_compiling(uint64_t, const Compiling&) override { leave(Detail::kCompiling); }
  void on_coverage(const Coverage& coverage) override { leave(Detail::kCovered, coverage.methods.size()); }

  Version1Blocks& blocks() { return blocks_; }
  Version1Outcome outcome(const DecodeOutcome& log);

 private:
  // Kinds of records that are not named here are counted as others.
  template <typename Record>
  void take(const Record&) {
    leave(Detail::kOther);
  }
  void take(const Intro& intro);
  void take(const Statistical& hits);
  void take(const End& end) { blocks_.end(end); }
  void take(const Load& load);
  void take(const ClassName& name) { blocks_.name(ClassName{name.id, 0, 0, ascii(name.name)}); }
  void take(const MethodName& name) {
    leave(Detail::kRawName, name.raw_name.empty() ? 0 : 1);
    blocks_.name(MethodName{name.id, name.klass, ascii(name.name), {}});
  }
  void take(const ImageName& name);
  void take(const NativeName& name);
  void take(const ThreadName&) { leave(Detail::kThread); }
  void take(const LibraryName&) { leave(Detail::kImage); }
  void take(const ImageOrigin&) { leave(Detail::kFact); }
  void take(const MethodDefinition&) { leave(Detail::kFact); }
  void take(const UnoptimizedImage&) { leave(Detail::kFact); }
  void take(const MethodBox&) { leave(Detail::kFact); }
  void take(const ImageSymbols&) { leave(Detail::kFact); }
  void take(const LibraryBuild&) { leave(Detail::kFact); }
  void take(const NativeAddress&) { leave(Detail::kFact); }
  void take(const ProcessUsage&) { leave(Detail::kUsage); }
  void take(const OptionChange&) { leave(Detail::kOptions); }
  // Each check block tells all losses so far.
  void take(const Lost& lost) { count_name(Detail::kLost, lost.reason); }
  void take(const LostOfThread&) {}
  void take(const Counter& counter) { count_name(Detail::kCounter, counter.name); }
  void take(const CallGraph&) {}
  void take(const CallNode&) { leave(Detail::kCallNode); }
  void take(const CallTiming&) {}
  void take(const HeapSnapshot&) { leave(Detail::kSnapshot); }
  void take(const HeapDetails&) {}
  void take(const HeapChunk&) {}

  bool take_call(uint64_t thread, uint64_t counter, uint32_t number, uint64_t method);
  void take_load(const Event& event);
  void take_heap(const Event& event);
  void write(const Event& event, uint8_t code, uint64_t value);

  void leave(Detail detail, uint64_t count = 1) { details_[static_cast<size_t>(detail)] += count; }
  void count_name(Detail detail, const std::string& name);
  std::string ascii(const std::string& name);

  Version1Blocks blocks_;
  Leaves leaves_;
  bool has_intro_ = false;
  std::set<uint64_t> waiting_;              // native functions that stand for a wait
  std::map<uint64_t, std::string> images_;  // paths or names, which version 1 has where they are loaded
  uint64_t heap_bytes_ = 0;                 // so far
  std::set<std::pair<Detail, std::string>> named_;
  std::array<uint64_t, static_cast<size_t>(Detail::kCount)> details_{};
  std::map<std::string, uint64_t> events_left_;  // by group
  uint64_t events_ = 0, hits_ = 0;
};

// A damaged log may invent any number of names.
constexpr size_t kMostNamed = 10'000, kMostNameBytes = 4096;

void Version1Sink::count_name(Detail detail, const std::string& name) {
  if (named_.size() < kMostNamed && named_.insert({detail, name.substr(0, kMostNameBytes)}).second) leave(detail);
}

std::string Version1Sink::ascii(const std::string& name) {
  std::string plain;
  for (size_t at = 0; at < name.size();) {
    const Utf8Character character = utf8_at(name, at);
    plain += character.code < 0x80 && character.valid ? name[at] : '?';
    at += character.size;
  }
  if (plain != name) leave(Detail::kLetters);
  return plain;
}

// A recorder's log has an intro for each of its segments, whose nodes begin anew.
void Version1Sink::take(const Intro& intro) {
  leaves_.forget();
  if (std::exchange(has_intro_, true)) return;
  Intro ours = intro;
  ours.version = kVersion1;
  ours.runtime = ascii(intro.runtime);
  leave(Detail::kProperty, intro.properties.size());
  blocks_.intro(ours);
}

void Version1Sink::take(const Statistical& hits) {
  hits_ += hits.methods.size() + hits.natives.size();
  blocks_.hits(hits);
}

void Version1Sink::take(const Load& load) {
  Load ours = load;
  ours.name = ascii(load.name);
  blocks_.load(ours);
}

void Version1Sink::take(const ImageName& name) {
  leave(Detail::kImage);
  if (images_.size() < kMostNamed)
    images_[name.id] = (name.path.empty() ? name.name : name.path).substr(0, kMostNameBytes);
}

void Version1Sink::take(const NativeName& name) {
  leave(Detail::kNative);
  if (name.library == 0 && name.name == "[waiting]" && waiting_.size() < kMostNamed) waiting_.insert(name.id);
}

void Version1Sink::on_sample(uint64_t thread, const Sample& sample) {
  constexpr uint64_t kMostPeriods = 64;  // a few bytes may stand for any number
  const Leaves::Frame frame = leaves_.of(sample.node);
  if (frame.id == 0) return leave(Detail::kNoStack);
  if (frame.kind == FrameKind::kNative && waiting_.contains(frame.id)) return leave(Detail::kWait);
  const uint64_t count = std::min(sample.periods, kMostPeriods);
  leave(Detail::kPeriods, sample.periods - count);
  leave(Detail::kStack);
  hits_ += count;
  blocks_.hits(thread, sample.counter, frame.kind, frame.id, count);
}

// False if it is none. An exit of version 1 names its method; whether it is implicit tells those of exceptions and tail
// calls from others.
bool Version1Sink::take_call(uint64_t thread, uint64_t counter, uint32_t number, uint64_t method) {
  Packed packed{};
  switch (number) {
    case oriel_event_method_enter:
      packed = Packed::kEnter;
      break;
    case oriel_event_method_leave:
      packed = Packed::kLeaveExplicit;
      break;
    case oriel_event_method_exception_leave:
    case oriel_event_method_tail_call:
      packed = Packed::kLeaveImplicit;
      leave(Detail::kLeave);
      break;
    default:
      return false;
  }
  if (method == 0) {  // of a call that the log does not have
    leave(Detail::kUnknownLeave);
    return true;
  }
  ++events_;
  blocks_.call(thread, counter, packed, method);
  return true;
}

void Version1Sink::write(const Event& event, uint8_t code, uint64_t value) {
  ++events_;
  blocks_.event(event.thread, event.counter, code, value);
}

// Logs that were made of other tools' files have events where others have load blocks.
void Version1Sink::take_load(const Event& event) {
  Load load;
  load.kind = kLoadModule | kLoadSuccess;
  load.start_counter = load.end_counter = event.counter;
  load.thread = event.thread;
  if (const auto image = images_.find(event.values[0]); image != images_.end()) load.name = image->second;
  ++events_;
  take(load);
}

void Version1Sink::take_heap(const Event& event) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 60;
  uint64_t bytes = 0;
  for (uint32_t i = 1; i < event.value_count; ++i) bytes += std::min(event.values[i], kMostBytes);
  leave(Detail::kHeapParts);
  if (bytes == std::exchange(heap_bytes_, bytes)) return;
  write(event, other_code(5, false), bytes);
}

void Version1Sink::on_event(const Event& event) {
  constexpr unsigned kFreed = 1, kUnloaded = 1, kException = 2, kFailed = 4;
  const auto failed = [&](unsigned bits) { return bits | (event.values[1] != 0 ? kFailed : 0u); };
  if (take_call(event.thread, event.counter, event.number, event.values[0])) return;
  switch (event.number) {
    case oriel_event_gc_allocation:
      leave(Detail::kSite, event.value_count > 3 && event.values[3] != 0 ? 1 : 0);
      leave(Detail::kAllocationStack, event.stack != 0 ? 1 : 0);
      ++events_;
      return blocks_.allocation(event.thread, event.counter, event.values[0], event.values[1]);
    case oriel_event_jit_done:
      leave(Detail::kCode);
      return write(event, event_code(Packed::kMethod, 0), event.values[0]);
    case oriel_event_jit_failed:
      return write(event, event_code(Packed::kMethod, kFailed), event.values[0]);
    case oriel_event_method_free:
      return write(event, event_code(Packed::kMethod, kFreed), event.values[0]);
    case Event::kMethodJit:
      return write(event, event_code(Packed::kMethod, failed(0)), event.values[0]);
    case Event::kMethodFreed:
      return write(event, event_code(Packed::kMethod, failed(kFreed)), event.values[0]);
    case oriel_event_class_loaded:
      return write(event, event_code(Packed::kClass, 0), event.values[0]);
    case oriel_event_class_failed:
      return write(event, event_code(Packed::kClass, kFailed), event.values[0]);
    case oriel_event_class_unloaded:
      return write(event, event_code(Packed::kClass, kUnloaded), event.values[0]);
    case oriel_event_exception_throw:
      leave(Detail::kThrow, event.stack != 0 ? 1 : 0);
      return write(event, event_code(Packed::kClass, kException), event.values[0]);
    case Event::kClassLoad:
      return write(event, event_code(Packed::kClass, failed(0)), event.values[0]);
    case Event::kClassUnload:
      return write(event, event_code(Packed::kClass, failed(kUnloaded)), event.values[0]);
    case Event::kClassException:
      return write(event, event_code(Packed::kClass, failed(kException)), event.values[0]);
    case oriel_event_thread_started:
    case Event::kThreadStart:
      return write(event, other_code(1, false), event.values[0]);
    case oriel_event_thread_stopped:
    case Event::kThreadEnd:
      return write(event, other_code(1, true), event.values[0]);
    case oriel_event_gc_begin:
      leave(Detail::kReason);
      return write(event, other_code(2, false), event.values[1]);
    case oriel_event_gc_end:
      return write(event, other_code(2, true), event.values[1]);
    case Event::kGcStart:
      return write(event, other_code(2, false), event.values[0]);
    case Event::kGcEnd:
      return write(event, other_code(2, true), event.values[0]);
    case Event::kGcMarkStart:
      return write(event, other_code(3, false), event.values[0]);
    case Event::kGcMarkEnd:
      return write(event, other_code(3, true), event.values[0]);
    case Event::kGcSweepStart:
      return write(event, other_code(4, false), event.values[0]);
    case Event::kGcSweepEnd:
      return write(event, other_code(4, true), event.values[0]);
    case Event::kGcResize:
      return write(event, other_code(5, false), event.values[0]);
    case oriel_event_image_loaded:
      return take_load(event);
    case oriel_event_gc_heap:
      return take_heap(event);
    case Event::kSegment:
      return leave(Detail::kSegment);
    case Event::kCallsLost:
      return leave(Detail::kCallsLost);
    default:
      break;
  }
  const EventDescription* const known = describe_event(event.number);
  ++events_left_[known && *known->group ? known->group : "other"];
}

Version1Outcome Version1Sink::outcome(const DecodeOutcome& log) {
  leave(Detail::kDamaged, log.corrupt_blocks);
  leave(Detail::kTorn, log.torn_bytes);
  Version1Outcome outcome{log, events_, hits_, {}};
  for (const auto& [group, count] : events_left_)
    outcome.left_out.push_back({count, "event of " + group, "events of " + group});
  for (size_t i = 0; i < details_.size(); ++i)
    if (details_[i] != 0) outcome.left_out.push_back({details_[i], kWords[i].one, kWords[i].many});
  return outcome;
}

// The file until it has its name.
class UnpublishedFile {
 public:
  UnpublishedFile(int file, const std::string& path) : file_(file), path_(path) {}
  ~UnpublishedFile() {
    if (!published_) remove_unpublished(file_, path_);
    close_log(file_);
  }
  UnpublishedFile(const UnpublishedFile&) = delete;
  UnpublishedFile& operator=(const UnpublishedFile&) = delete;

  Status publish() {
    Status status = publish_log(file_, path_);
    published_ = status.is_ok();
    return status;
  }

 private:
  int file_;
  const std::string& path_;
  bool published_ = false;
};

}  // namespace

Result<Version1Outcome> write_version1(const std::string& log, const std::string& to,
                                       const std::function<void(uint64_t, uint64_t)>& progress) try {
  std::error_code unknown;
  if (std::filesystem::equivalent(log, to, unknown))
    return Status::error("'" + to + "' is the log that is read; name another file");
  const Result<int> file = create_unpublished_log(to);
  if (!file) return file.status();
  UnpublishedFile unpublished(*file, to);
  Version1Sink sink(*file);
  const Result<DecodeOutcome> read = decode_file(log, sink, progress);
  if (!read) return read.status();
  sink.blocks().finish();
  if (const int error = sink.blocks().error(); error != 0)
    return Status::error("cannot write the log " + to + ": " + std::strerror(error) + "; nothing of it is left");
  if (Status status = unpublished.publish(); !status) return status;
  return sink.outcome(*read);
} catch (const std::bad_alloc&) {
  return Status::error("'" + log + "' cannot be converted: there is no memory for it");
}

}  // namespace oriel::log
