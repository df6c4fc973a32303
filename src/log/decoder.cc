#include "log/decoder.h"

#include <set>

#include "log/block_decoder.h"
#include "log/calls_decoder.h"
#include "log/compressed.h"
#include "log/event_stream.h"
#include "log/log_reader.h"
#include "log/read_samples.h"

namespace oriel::log {
namespace {

using Progress = std::function<void(uint64_t, uint64_t)>;

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
  bool operator()(const CallEntries& entries) const {
    if (entries.node > nodes) return false;
    sink.on_call_entries(entries);
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

class LogDecoder final : public BlockDecoder {
 public:
  LogDecoder(uint64_t version, EventSink& sink)
      : version_(version), sink_(sink), events_(sink, version), calls_(sink) {}

  void decode(const FoundBlock& block) override {
    if (block.is_damaged) return salvage(block);
    if (block.code == Block::kIntro) events_.forget_stacks();  // a recorder's segment begins
    decode_whole(block);
  }
  void pass_over(const PassedBlocks& passed) override {
    outcome_.blocks += passed.blocks;
    raw_bytes_ += passed.raw_bytes;
    if (passed.unpacked != 0) sink_.on_unpacked(passed.unpacked);
  }
  const DecodeOutcome& outcome() const override { return outcome_; }

 private:
  // Decodes a complete block. An invalid one is reported as a problem and counted as corrupt.
  void decode_whole(const BlockView& block);
  // Decodes a block in a stretch with a wrong hash: only names of ids, without which the rest of the file would be
  // meaningless. Counts it as corrupt.
  void salvage(const BlockView& block);
  void tell_hole(const BlockView& block);
  bool decode_contents(const BlockView& block, Cursor& in);
  bool decode_clocks(const BlockView& block, Cursor& in);
  // Reads a record and passes it on unchanged.
  template <typename Record>
  bool plain(Cursor& in, void (EventSink::*tell)(const Record&));
  // For each kind of block: false if it is invalid.
#define ORIEL_BLOCK(code, symbol, name, since, Record, doc) bool name(const BlockView& block, Cursor& in);
#include "log/blocks.def"
  bool heap_chunk(Cursor& in, void (EventSink::*tell)(const HeapChunk&));
  // Decompresses the block, and has `take` take each that is in it.
  bool unpack(const BlockView& block, Cursor& in, void (LogDecoder::*take)(const BlockView& block));
  void unknown(const BlockView& block);

  uint64_t version_;
  EventSink& sink_;
  DecodeOutcome outcome_;
  EventDecoder events_;
  CallsDecoder calls_;
  uint64_t raw_bytes_ = 0;  // of blocks so far; no valid file has more nodes
  bool inside_compressed_ = false;
  std::set<uint16_t> told_;  // reported unknown codes
};

void LogDecoder::decode_whole(const BlockView& block) {
  raw_bytes_ += kBlockHeaderSize + block.size;
  Cursor in{block.data, block.data + block.size};
  if (decode_contents(block, in)) {
    ++outcome_.blocks;
    outcome_.ended |= block.code == Block::kEnd;
    return;
  }
  ++outcome_.corrupt_blocks;
  sink_.on_problem(block.offset, damage_of(block, in));
  tell_hole(block);
  if (block.code == Block::kEvents) events_.forget_stacks();
}

// Of calls it is known whose are lost.
void LogDecoder::tell_hole(const BlockView& block) {
  Cursor in{block.data, block.data + block.size};
  CallsBlock head;
  if (block.code == Block::kCalls && read_record(in, version_, head))
    sink_.on_lost_calls(head);
  else
    sink_.on_hole();
}

void LogDecoder::salvage(const BlockView& block) {
  raw_bytes_ += kBlockHeaderSize + block.size;
  ++outcome_.corrupt_blocks;
  sink_.on_hole();
  events_.forget_stacks();
  Cursor in{block.data, block.data + block.size};
  if (block.code == Block::kIntro) intro(block, in);
  if (block.code == Block::kMapping) mapping(block, in);
  if (block.code == Block::kStacks) stacks(block, in);
  if (block.code == Block::kEnd) outcome_.ended = true;
  if (block.code == Block::kCompressed) unpack(block, in, &LogDecoder::salvage);
}

// Of a block that the sink does not want.
bool LogDecoder::decode_clocks(const BlockView& block, Cursor& in) {
  EventsHead events;
  CallsBlock calls;
  if (block.code == Block::kEvents && read_record(in, version_, events)) sink_.on_clock(events.start);
  if (block.code == Block::kCalls && read_record(in, version_, calls)) sink_.on_clock(calls.clock);
  return true;
}

bool LogDecoder::decode_contents(const BlockView& block, Cursor& in) {
  if (!sink_.wants(block.code)) return decode_clocks(block, in);
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

bool LogDecoder::calls(const BlockView& block, Cursor& in) {
  CallsBlock head;
  if (!read_record(in, version_, head)) return false;
  sink_.on_clock(head.clock);
  if (sink_.on_calls_block(block, head, in)) return true;
  return calls_.decode(head, in, events_.class_sizes());
}

bool LogDecoder::stacks(const BlockView&, Cursor& in) {
  StacksBlock head;
  return read_record(in, version_, head, UnpackStacks{sink_, head, raw_bytes_});
}

bool LogDecoder::samples(const BlockView&, Cursor& in) {
  SamplesBlock head;
  return read_samples(in, version_, head, sink_);
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

// The reader has used it, if it had to.
bool LogDecoder::sums(const BlockView&, Cursor& in) {
  SumsBlock sums;
  return read_record(in, version_, sums);
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

bool LogDecoder::compressed(const BlockView& block, Cursor& in) { return unpack(block, in, &LogDecoder::decode_whole); }

bool LogDecoder::unpack(const BlockView& block, Cursor& in, void (LogDecoder::*take)(const BlockView& block)) {
  CompressedBlock head;
  if (inside_compressed_ || !read_record(in, version_, head)) return false;
  const auto raw = decompress(in.at, in.left(), head.raw_size);
  if (raw == nullptr) return false;
  if (head.raw_size > block.size) sink_.on_unpacked(head.raw_size - block.size);
  inside_compressed_ = true;
  BlockView inner;
  size_t at = 0;
  for (; read_block(raw.get(), head.raw_size, at, inner); at += kBlockHeaderSize + inner.size) {
    if (inner.code == Block::kIntro || inner.code == Block::kCheck) break;
    inner.offset = block.offset;
    (this->*take)(inner);
  }
  inside_compressed_ = false;
  return at == head.raw_size;
}

void LogDecoder::unknown(const BlockView& block) {
  if (!told_.insert(static_cast<uint16_t>(block.code)).second) return;
  sink_.on_problem(block.offset, "blocks of the unknown code " + std::to_string(static_cast<unsigned>(block.code)) +
                                     " are left out; a newer oriel can read them");
}

Result<DecodeOutcome> decode_log(Result<LogReader> reader, EventSink& sink, const Progress& progress) {
  if (!reader) return reader.status();
  LogDecoder decoder(reader->version(), sink);
  const auto tell = holes_to(sink);
  uint64_t reached = 0;
  for (FoundBlock block; reader->next(block, tell);) {
    decoder.decode(block);
    if (progress && block.offset >= reached + kProgressStep) {
      reached = block.offset;
      progress(reached, reader->log_bytes());
    }
  }
  if (!reader->failed()) return reader->failed();
  if (progress) progress(reader->log_bytes(), reader->log_bytes());
  return outcome_of(*reader, decoder);
}

}  // namespace

std::string damage_of(const BlockView& block, const Cursor& in) {
  return "a block of code " + std::to_string(static_cast<unsigned>(block.code)) + " (" + block_name(block.code) +
         ") is damaged: what it holds from byte " + std::to_string(block.size - in.left()) + " of " +
         std::to_string(block.size) + " on is lost";
}

std::unique_ptr<BlockDecoder> make_block_decoder(uint64_t version, EventSink& sink) {
  return std::make_unique<LogDecoder>(version, sink);
}

DecodeOutcome outcome_of(const LogReader& reader, const BlockDecoder& decoder) {
  DecodeOutcome outcome = decoder.outcome();
  outcome.bytes = reader.file_bytes();
  outcome.torn_bytes = reader.torn_bytes();
  outcome.corrupt_blocks += reader.damaged_stretches();
  return outcome;
}

Result<DecodeOutcome> decode_file(const std::string& path, EventSink& sink, const Progress& progress) {
  return decode_log(LogReader::open(path), sink, progress);
}

Result<DecodeOutcome> decode_bytes(const uint8_t* data, size_t size, EventSink& sink) {
  return decode_log(LogReader::in({data, size}, "bytes in memory"), sink, {});
}

}  // namespace oriel::log
