#include "log/block_decoder.h"

#include "log/compressed.h"

namespace oriel::log {
namespace {

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

}  // namespace

bool read_block(const uint8_t* data, size_t size, size_t at, BlockView& block) {
  if (at > size || size - at < kBlockHeaderSize) return false;
  const uint8_t* header = data + at;
  const auto code = static_cast<uint16_t>(header[0] | header[1] << 8);
  uint64_t length = 0;
  for (int i = 0; i < 4; ++i) length |= static_cast<uint64_t>(header[2 + i]) << (8 * i);
  if (code == 0 || length > size - at - kBlockHeaderSize) return false;
  block = {static_cast<Block>(code), header + kBlockHeaderSize, static_cast<size_t>(length), at};
  return true;
}

void BlockDecoder::decode(const BlockView& block) {
  raw_bytes_ += kBlockHeaderSize + block.size;
  Cursor in{block.data, block.data + block.size};
  if (decode_known(block, in)) {
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

void BlockDecoder::salvage(const BlockView& block) {
  raw_bytes_ += kBlockHeaderSize + block.size;
  ++outcome_.corrupt_blocks;
  events_.forget_stacks();
  Cursor in{block.data, block.data + block.size};
  if (block.code == Block::kIntro) intro(block, in);
  if (block.code == Block::kMapping) mapping(block, in);
  if (block.code == Block::kStacks) stacks(block, in);
  if (block.code == Block::kEnd) outcome_.ended = true;
}

bool BlockDecoder::decode_known(const BlockView& block, Cursor& in) {
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
bool BlockDecoder::plain(Cursor& in, void (EventSink::*tell)(const Record&)) {
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
  bool BlockDecoder::name(const BlockView&, Cursor& in) { return plain(in, &EventSink::on_##name); }
#include "log/blocks.def"

bool BlockDecoder::loaded(const BlockView& block, Cursor& in) {
  Load load;
  if (!read_record(in, version_, load)) return false;
  load.unload = block.code == Block::kUnloaded;
  sink_.on_load(load);
  return true;
}

bool BlockDecoder::unloaded(const BlockView& block, Cursor& in) { return loaded(block, in); }

bool BlockDecoder::mapping(const BlockView&, Cursor& in) {
  Mapping mapping;
  if (!read_record(in, version_, mapping, TellNames{sink_, events_})) return false;
  sink_.on_clock(mapping.start);
  sink_.on_clock(mapping.end);
  return true;
}

bool BlockDecoder::events(const BlockView& block, Cursor& in) {
  EventsBlock head;
  const auto stream = [&](Cursor& from) {
    sink_.on_clock(head.start);
    return events_.decode(from, head.thread, head.base, block.offset);
  };
  if (!read_record(in, version_, head, stream)) return false;
  sink_.on_clock(head.end);
  return true;
}

bool BlockDecoder::stacks(const BlockView&, Cursor& in) {
  StacksBlock head;
  return read_record(in, version_, head, UnpackStacks{sink_, head, raw_bytes_});
}

bool BlockDecoder::samples(const BlockView&, Cursor& in) {
  SamplesBlock head;
  return read_record(in, version_, head, UnpackSamples{sink_, head});
}

namespace {

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

}  // namespace

bool BlockDecoder::callgraph(const BlockView&, Cursor& in) {
  CallGraph graph;
  uint64_t nodes = 0;
  if (!read_record(in, version_, graph, TellGraph{sink_, graph, nodes})) return false;
  if (nodes == 0) sink_.on_call_graph(graph);
  return true;
}

namespace {

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

}  // namespace

bool BlockDecoder::coverage(const BlockView&, Cursor& in) {
  Coverage block;
  bool told = false;
  const TellCoverage tell{sink_, block, told, most_images(in.left())};
  const bool whole = read_record(in, version_, block, tell);
  if (!block.methods.empty() || (whole && !told)) tell.tell();
  return whole;
}

bool BlockDecoder::check(const BlockView&, Cursor& in) {
  CheckBlock check;
  if (!read_record(in, version_, check) || check.marker != kCheckMarker) return false;
  for (const Lost& lost : check.lost) sink_.on_lost(lost);
  return true;
}

bool BlockDecoder::counters(const BlockView&, Cursor& in) {
  CountersBlock block;
  if (!read_record(in, version_, block)) return false;
  for (const Counter& counter : block.counters) sink_.on_counter(counter);
  return true;
}

bool BlockDecoder::compressed(const BlockView& block, Cursor& in) {
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

void BlockDecoder::unknown(const BlockView& block) {
  if (!told_.insert(static_cast<uint16_t>(block.code)).second) return;
  sink_.on_problem(block.offset, "blocks of the unknown code " + std::to_string(static_cast<unsigned>(block.code)) +
                                     " are left out; a newer oriel can read them");
}

}  // namespace oriel::log
