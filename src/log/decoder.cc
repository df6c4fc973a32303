#include "log/decoder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <vector>

#include "base/files/input_file.h"
#include "log/calls_decoder.h"
#include "log/compressed.h"
#include "log/event_stream.h"
#include "log/framing.h"
#include "log/ring_view.h"
#include "log/tail_file.h"

namespace oriel::log {
namespace {

using Progress = std::function<void(uint64_t, uint64_t)>;

constexpr uint64_t kProgressStep = 4u << 20;

struct Bytes {
  std::unique_ptr<uint8_t[]> data;
  size_t size = 0;
};

// Limited by the machine's memory: a sparse file may have any size.
uint64_t most_bytes() {
  constexpr uint64_t kMost = uint64_t{64} << 30;
  const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::min(kMost, static_cast<uint64_t>(pages) * static_cast<uint64_t>(size)) : kMost;
}

// While a recorder's file was read, its writer may have overwritten the oldest segments. It says so before it does.
void leave_out_overwritten(const InputFile& file, Bytes& bytes) {
  RingView before, now;
  if (!find_ring(bytes.data.get(), bytes.size, before)) return;
  std::vector<uint8_t> front(before.ring_at);
  if (!file.read(0, front.data(), front.size()) || !find_ring(front.data(), front.size(), now)) return;
  uint8_t* at = bytes.data.get() + before.head_at + sizeof now.head.bytes;
  for (int shift = 0; shift < 64; shift += 8) *at++ = static_cast<uint8_t>(now.head.begin >> shift);
}

// Reads the present contents of the file. Into memory instead of mapping it: truncating the log must not crash the
// reader.
// With room for so many more.
Result<Bytes> read_file(const std::string& path, size_t room) {
  const auto failed = [&](const std::string& why) {
    const bool is_folder = why == "it is a folder";
    return Status::error("cannot read " + path + ": " + why + (is_folder ? "; name a log file" : ""));
  };
  const Result<InputFile> file = InputFile::open(path, most_bytes());
  if (!file) return failed(file.message());
  Bytes bytes;
  bytes.data.reset(new (std::nothrow) uint8_t[file->size() + room]);
  if (bytes.data == nullptr) return failed(std::strerror(ENOMEM));
  const int64_t got = file->read_some(0, bytes.data.get(), file->size());
  if (got < 0) return failed(std::strerror(errno));
  bytes.size = static_cast<size_t>(got);
  leave_out_overwritten(*file, bytes);
  return bytes;
}

// Adds what the writer had not flushed, if it was killed or still writes. Of a flush that was under way then, only a
// part may be there; the tail has all of it.
void add_tail(std::span<const Tail> tails, Bytes& bytes) {
  for (const Tail& tail : tails) {
    BlockView check;
    if (!tail.is_of({bytes.data.get(), bytes.size}) || tail.at == 0 || tail.at > bytes.size) continue;
    if (find_check(bytes.data.get(), bytes.size, tail.at, check) && matches(bytes.data.get(), tail.at, check)) continue;
    std::ranges::copy(tail.blocks, bytes.data.get() + tail.at);
    bytes.size = tail.at + tail.blocks.size();
    return;
  }
}

// Passes a mapping's entries to the sink, and class sizes to the event decoder.
struct TellNames {
  EventSink& sink;
  EventDecoder& events;

#define ORIEL_RECORD(function, name, Record)
#define ORIEL_ENTRY(function, name, Record)    \
  bool operator()(const Record& entry) const { \
    learn(entry);                              \
    sink.on_##function(entry);                 \
    return true;                               \
  }
#include "log/records.def"

 private:
  template <typename Entry>
  void learn(const Entry&) const {}
  void learn(const ClassName& name) const { events.class_size(name.id, name.instance_size); }
};

// Passes a call graph's contents to the sink.
struct TellGraph {
  EventSink& sink;
  const CallGraph& graph;
  uint64_t& nodes;

  bool operator()(const CallNode& read) const {
    if (nodes++ == 0) sink.on_call_graph(graph);
    if (read.parent == 0 || read.parent > nodes) return false;
    CallNode node = read;
    node.id = nodes;
    node.parent = nodes - read.parent;
    sink.on_call_node(node);
    return true;
  }
  bool operator()(const CallTiming& timing) const {
    if (timing.node > nodes) return false;
    sink.on_call_timing(timing);
    return true;
  }
};

// Passes a coverage block to the sink in pieces: a method of a few bytes takes much memory.
struct TellCoverage {
  EventSink& sink;
  Coverage& piece;
  bool& told;
  uint64_t most_images;

  bool operator()(const CoverageImage& image) const {
    if (piece.images.size() < most_images) piece.images.push_back(image);
    return true;
  }
  bool operator()(const MethodHits& method) const {
    constexpr size_t kMostMethods = 256;
    piece.methods.push_back(method);
    if (piece.methods.size() >= kMostMethods) tell();
    return true;
  }
  void tell() const {
    sink.on_coverage(piece);
    piece.methods.clear();
    told = true;
  }
};

// One pass over a log: stretches up to a check block, then the tail after the last one.
class LogDecoder {
 public:
  LogDecoder(const uint8_t* data, size_t size, uint64_t version, EventSink& sink, const Progress& progress)
      : data_(data),
        size_(size),
        version_(version),
        sink_(sink),
        progress_(progress),
        events_(sink, version),
        calls_(sink) {}

  DecodeOutcome run() {
    outcome_.bytes = size_;
    size_t at = 0;
    while (version_ != kVersion1) {
      BlockView check;
      if (!find_check(data_, size_, at, check)) break;
      at = matches(data_, at, check) ? whole_stretch(at, check) : damaged_stretch(at, check);
    }
    at = tail(at);
    outcome_.torn_bytes = size_ - at;
    if (progress_) progress_(size_, size_);
    return outcome_;
  }

 private:
  // Decode the blocks between two check blocks; return where the second ends.
  size_t whole_stretch(size_t at, const BlockView& check) {
    BlockView block;
    for (; at < check.offset && read_block(data_, check.offset, at, block); at = end_of(block)) next(block);
    if (at != check.offset) damaged(at, check.offset);
    next(check);
    return end_of(check);
  }

  size_t damaged_stretch(size_t at, const BlockView& check) {
    const size_t start = at;
    ++outcome_.corrupt_blocks;  // if blocks cannot be followed, at least one; else the check block
    BlockView block;
    for (; at < check.offset && read_block(data_, check.offset, at, block); at = end_of(block)) {
      if (block.code == Block::kCheck) {  // only its marker is damaged
        damaged(start, end_of(block));
        return end_of(block);
      }
      salvage(block);
    }
    damaged(start, check.offset);
    return end_of_damaged(data_, size_, check);
  }

  size_t tail(size_t at) {
    BlockView block;
    for (; read_block(data_, size_, at, block); at = end_of(block)) next(block);
    return at;
  }

  void next(const BlockView& block) {
    if (block.code == Block::kIntro) events_.forget_stacks();  // a recorder's segment begins
    decode(block);
    if (progress_ && block.offset >= reached_ + kProgressStep) {
      reached_ = block.offset;
      progress_(reached_, size_);
    }
  }

  void damaged(size_t from, size_t to) {
    sink_.on_problem(from, "the log is damaged between bytes " + std::to_string(from) + " and " + std::to_string(to) +
                               ": samples and events of that time are left out, names from there may be wrong");
  }

  // Decodes a complete block. An invalid one is reported as a problem and counted as corrupt.
  void decode(const BlockView& block);
  // Decodes a block in a stretch with a wrong hash: only names of ids, without which the rest of the file would be
  // meaningless. Counts it as corrupt.
  void salvage(const BlockView& block);
  bool decode_contents(const BlockView& block, Cursor& in);
  // Reads a record and passes it on unchanged.
  template <typename Record>
  bool plain(Cursor& in, void (EventSink::*tell)(const Record&));
  // For each kind of block: false if it is invalid.
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) bool name(const BlockView& block, Cursor& in);
#include "log/blocks.def"
  bool heap_chunk(Cursor& in, void (EventSink::*tell)(const HeapChunk&));
  void unknown(const BlockView& block);

  const uint8_t* data_;
  size_t size_;
  uint64_t version_;
  EventSink& sink_;
  const Progress& progress_;
  DecodeOutcome outcome_;
  EventDecoder events_;
  CallsDecoder calls_;
  uint64_t reached_ = 0;    // byte that was last reported to progress_
  uint64_t raw_bytes_ = 0;  // of blocks so far; no valid file has more nodes
  bool inside_compressed_ = false;
  std::set<uint16_t> told_;  // reported unknown codes
};

void LogDecoder::decode(const BlockView& block) {
  raw_bytes_ += kBlockHeaderSize + block.size;
  Cursor in{block.data, block.data + block.size};
  if (decode_contents(block, in)) {
    ++outcome_.blocks;
    outcome_.ended |= block.code == Block::kEnd;
    return;
  }
  ++outcome_.corrupt_blocks;
  sink_.on_problem(block.offset, "a block of code " + std::to_string(static_cast<unsigned>(block.code)) + " (" +
                                     block_name(block.code) + ") is damaged: what it holds from byte " +
                                     std::to_string(block.size - in.left()) + " of " + std::to_string(block.size) +
                                     " on is lost");
  if (block.code == Block::kEvents) events_.forget_stacks();
}

void LogDecoder::salvage(const BlockView& block) {
  raw_bytes_ += kBlockHeaderSize + block.size;
  ++outcome_.corrupt_blocks;
  events_.forget_stacks();
  Cursor in{block.data, block.data + block.size};
  if (block.code == Block::kIntro) intro(block, in);
  if (block.code == Block::kMapping) mapping(block, in);
  if (block.code == Block::kStacks) stacks(block, in);
  if (block.code == Block::kEnd) outcome_.ended = true;
}

bool LogDecoder::decode_contents(const BlockView& block, Cursor& in) {
  switch (block.code) {
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) \
  case Block::k##symbol:                                    \
    if (version_ < since) break;                            \
    return name(block, in);
#include "log/blocks.def"
  }
  unknown(block);
  return true;
}

template <typename Record>
bool LogDecoder::plain(Cursor& in, void (EventSink::*tell)(const Record&)) {
  Record record;
  if (!read_record(in, version_, record)) return false;
  if constexpr (requires { record.clock; }) {
    if (record.clock.unix_us != 0) sink_.on_clock(record.clock);
  }
  (sink_.*tell)(record);
  return true;
}

#define ORIEL_BLOCK(code, symbol, name, since, Record, doc)
#define ORIEL_PLAIN_BLOCK(code, symbol, name, since, Record, doc) \
  bool LogDecoder::name(const BlockView&, Cursor& in) { return plain(in, &EventSink::on_##name); }
#include "log/blocks.def"

bool LogDecoder::loaded(const BlockView& block, Cursor& in) {
  Load load;
  if (!read_record(in, version_, load)) return false;
  load.unload = block.code == Block::kUnloaded;
  sink_.on_load(load);
  return true;
}

bool LogDecoder::unloaded(const BlockView& block, Cursor& in) { return loaded(block, in); }

bool LogDecoder::mapping(const BlockView&, Cursor& in) {
  Mapping mapping;
  if (!read_record(in, version_, mapping, TellNames{sink_, events_})) return false;
  sink_.on_clock(mapping.start);
  sink_.on_clock(mapping.end);
  return true;
}

bool LogDecoder::events(const BlockView& block, Cursor& in) {
  EventsHead head;
  if (!read_record(in, version_, head)) return false;
  sink_.on_clock(head.start);
  if (!events_.decode(in, head.thread, head.base, block.offset)) return false;
  ClockPair end;
  if (!read_record(in, version_, end)) return false;
  sink_.on_clock(end);
  return true;
}

bool LogDecoder::calls(const BlockView&, Cursor& in) {
  CallsBlock head;
  if (!read_record(in, version_, head)) return false;
  sink_.on_clock(head.clock);
  return calls_.decode(head, in, events_.class_sizes());
}

bool LogDecoder::stacks(const BlockView&, Cursor& in) {
  StacksBlock head;
  return read_record(in, version_, head, UnpackStacks{sink_, head, raw_bytes_});
}

bool LogDecoder::samples(const BlockView&, Cursor& in) {
  SamplesBlock head;
  return read_record(in, version_, head, UnpackSamples{sink_, head});
}

bool LogDecoder::callgraph(const BlockView&, Cursor& in) {
  CallGraph graph;
  uint64_t nodes = 0;
  if (!read_record(in, version_, graph, TellGraph{sink_, graph, nodes})) return false;
  if (nodes == 0) sink_.on_call_graph(graph);
  return true;
}

bool LogDecoder::coverage(const BlockView&, Cursor& in) {
  Coverage block;
  bool told = false;
  const TellCoverage tell{sink_, block, told, most_images(in.left())};
  const bool whole = read_record(in, version_, block, tell);
  if (!block.methods.empty() || (whole && !told)) tell.tell();
  return whole;
}

bool LogDecoder::check(const BlockView&, Cursor& in) {
  CheckBlock check;
  if (!read_record(in, version_, check) || check.marker != kCheckMarker) return false;
  for (const Lost& lost : check.lost) sink_.on_lost(lost);
  return true;
}

bool LogDecoder::counters(const BlockView&, Cursor& in) {
  CountersBlock block;
  if (!read_record(in, version_, block)) return false;
  for (const Counter& counter : block.counters) sink_.on_counter(counter);
  return true;
}

bool LogDecoder::losses(const BlockView&, Cursor& in) {
  LossesBlock block;
  if (!read_record(in, version_, block)) return false;
  for (const LostOfThread& thread : block.threads) sink_.on_lost_of_thread(thread);
  return true;
}

bool LogDecoder::heap_chunk(Cursor& in, void (EventSink::*tell)(const HeapChunk&)) {
  HeapChunk chunk;
  if (!read_record(in, version_, chunk)) return false;
  chunk.frame = {in.at, in.left()};
  (sink_.*tell)(chunk);
  return true;
}

bool LogDecoder::heap_objects(const BlockView&, Cursor& in) { return heap_chunk(in, &EventSink::on_heap_objects); }

bool LogDecoder::heap_references(const BlockView&, Cursor& in) {
  return heap_chunk(in, &EventSink::on_heap_references);
}

bool LogDecoder::heap_values(const BlockView&, Cursor& in) { return heap_chunk(in, &EventSink::on_heap_values); }

// In a file it is read before (decode_named).
bool LogDecoder::ring(const BlockView&, Cursor& in) {
  RingHead head;
  return read_record(in, version_, head);
}

bool LogDecoder::compressed(const BlockView& block, Cursor& in) {
  CompressedBlock head;
  if (inside_compressed_ || !read_record(in, version_, head)) return false;
  const auto raw = decompress(in.at, in.left(), head.raw_size);
  if (raw == nullptr) return false;
  inside_compressed_ = true;
  BlockView inner;
  size_t at = 0;
  for (; read_block(raw.get(), head.raw_size, at, inner); at += kBlockHeaderSize + inner.size) {
    if (inner.code == Block::kIntro || inner.code == Block::kCheck) break;
    inner.offset = block.offset;
    decode(inner);
  }
  inside_compressed_ = false;
  return at == head.raw_size;
}

void LogDecoder::unknown(const BlockView& block) {
  if (!told_.insert(static_cast<uint16_t>(block.code)).second) return;
  sink_.on_problem(block.offset, "blocks of the unknown code " + std::to_string(static_cast<unsigned>(block.code)) +
                                     " are left out; a newer oriel can read them");
}

Result<DecodeOutcome> decode_named(const uint8_t* data, size_t size, const std::string& name, EventSink& sink,
                                   const Progress& progress, std::span<const Tail> tails = {}) {
  const Result<uint64_t> version = read_version(data, size, name);
  if (!version) return version.status();
  RingView ring;
  if (!find_ring(data, size, ring)) return LogDecoder(data, size, *version, sink, progress).run();
  const std::vector<uint8_t> log = log_in_ring(data, size, ring, tails);
  DecodeOutcome outcome = LogDecoder(log.data(), log.size(), *version, sink, progress).run();
  outcome.bytes = size;
  return outcome;
}

}  // namespace

Result<DecodeOutcome> decode_file(const std::string& path, EventSink& sink, const Progress& progress) {
  // Before the log, which may grow meanwhile: then it has what is in the tail.
  const std::vector<Tail> tails = read_tails(path);
  Result<Bytes> bytes = read_file(path, tails.empty() ? 0 : kMostTailBytes);
  if (!bytes) return bytes.status();
  RingView ring;
  if (!find_ring(bytes->data.get(), bytes->size, ring)) add_tail(tails, *bytes);
  return decode_named(bytes->data.get(), bytes->size, path, sink, progress, tails);
}

Result<DecodeOutcome> decode_bytes(const uint8_t* data, size_t size, EventSink& sink) {
  return decode_named(data, size, "bytes in memory", sink, {});
}

}  // namespace oriel::log
