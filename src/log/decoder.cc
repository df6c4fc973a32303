#include "log/decoder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <vector>

#include "log/calls_decoder.h"
#include "log/compressed.h"
#include "log/event_stream.h"
#include "log/framing.h"
#include "log/log_bytes.h"
#include "log/ring_view.h"

namespace oriel::log {
namespace {

using Progress = std::function<void(uint64_t, uint64_t)>;

constexpr uint64_t kProgressStep = 4u << 20;

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

// One pass over a log: stretches up to a check block, then the rest after the last one. The bytes come in windows.
class LogDecoder {
 public:
  // `size`: of the whole log, for progress.
  LogDecoder(uint64_t size, uint64_t version, EventSink& sink, const Progress& progress)
      : version_(version), sink_(sink), progress_(progress), log_size_(size), events_(sink, version), calls_(sink) {}

  // Decodes the whole stretches of a window that begins at a byte of the log, and of the last window all. Returns how
  // many bytes it has used; 0 if it needs more of the log to go on.
  size_t decode(const uint8_t* data, size_t size, uint64_t begin, bool is_last) {
    data_ = data;
    size_ = size;
    begin_ = begin;
    size_t at = 0;
    BlockView check;
    if (version_ == kVersion1) return rest(at);  // it has no check blocks
    while (find_check(data_, size_, at, check)) {
      const bool whole = matches(data_, at, check);
      if (!whole && !is_last && !has_block_behind(check)) break;
      at = whole ? whole_stretch(at, check) : damaged_stretch(at, check);
    }
    return is_last ? rest(at) : at;
  }

  // After the last window.
  DecodeOutcome finish(uint64_t used) {
    outcome_.bytes = log_size_;
    outcome_.torn_bytes = log_size_ - used;
    if (progress_) progress_(log_size_, log_size_);
    return outcome_;
  }

 private:
  // What follows a check block shows where it ends if its own length is damaged.
  bool has_block_behind(const BlockView& check) const {
    BlockView next;
    return read_block(data_, size_, end_of(check), next);
  }

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

  size_t rest(size_t at) {
    BlockView block;
    for (; read_block(data_, size_, at, block); at = end_of(block)) next(block);
    return at;
  }

  void next(const BlockView& block) {
    if (block.code == Block::kIntro) events_.forget_stacks();  // a recorder's segment begins
    decode(block);
    const uint64_t at = place_of(block);
    if (progress_ && at >= reached_ + kProgressStep) {
      reached_ = at;
      progress_(reached_, log_size_);
    }
  }

  // Of a block of the window, in the log.
  uint64_t place_of(const BlockView& block) const { return begin_ + block.offset; }

  void damaged(size_t from, size_t to) {
    sink_.on_problem(begin_ + from,
                     "the log is damaged between bytes " + std::to_string(begin_ + from) + " and " +
                         std::to_string(begin_ + to) +
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

  const uint8_t* data_ = nullptr;  // the window, and where it begins in the log
  size_t size_ = 0;
  uint64_t begin_ = 0;
  uint64_t version_;
  EventSink& sink_;
  const Progress& progress_;
  const uint64_t log_size_;
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
  sink_.on_problem(place_of(block), "a block of code " + std::to_string(static_cast<unsigned>(block.code)) + " (" +
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
  if (!events_.decode(in, head.thread, head.base, place_of(block))) return false;
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
  sink_.on_problem(place_of(block), "blocks of the unknown code " + std::to_string(static_cast<unsigned>(block.code)) +
                                        " are left out; a newer oriel can read them");
}

DecodeOutcome decode_all(std::span<const uint8_t> log, uint64_t version, EventSink& sink, const Progress& progress) {
  LogDecoder decoder(log.size(), version, sink, progress);
  return decoder.finish(decoder.decode(log.data(), log.size(), 0, true));
}

// A recorder's file as a whole, which has its size.
DecodeOutcome decode_ring(std::span<const uint8_t> file, const RingView& ring, std::span<const Tail> tails,
                          uint64_t version, EventSink& sink, const Progress& progress) {
  const std::vector<uint8_t> log = log_in_ring(file.data(), file.size(), ring, tails);
  DecodeOutcome outcome = decode_all(log, version, sink, progress);
  outcome.bytes = file.size();
  return outcome;
}

Status cannot_read(const std::string& path, const std::string& why) {
  const bool is_folder = why == "it is a folder";
  return Status::error("cannot read " + path + ": " + why + (is_folder ? "; name a log file" : ""));
}

// Bytes of a log that were read, and room for more.
class Window {
 public:
  Status read(const LogBytes& log, const std::string& path, size_t capacity) {
    if (capacity > capacity_) {
      std::unique_ptr<uint8_t[]> larger(new (std::nothrow) uint8_t[capacity]);
      if (larger == nullptr) return cannot_read(path, std::strerror(ENOMEM));
      std::copy_n(bytes_.get(), size_, larger.get());
      bytes_ = std::move(larger);
      capacity_ = capacity;
    }
    const int64_t got = log.read_some(begin_ + size_, bytes_.get() + size_, capacity_ - size_);
    if (got < 0) return cannot_read(path, std::strerror(errno));
    is_last_ = static_cast<size_t>(got) < capacity_ - size_;
    size_ += static_cast<size_t>(got);
    is_last_ |= begin_ + size_ == log.size();
    return Status::ok();
  }
  void drop(size_t bytes) {
    std::memmove(bytes_.get(), bytes_.get() + bytes, size_ - bytes);
    begin_ += bytes;
    size_ -= bytes;
  }

  std::span<const uint8_t> bytes() const { return {bytes_.get(), size_}; }
  uint64_t begin() const { return begin_; }
  size_t capacity() const { return capacity_; }
  bool is_last() const { return is_last_; }

 private:
  std::unique_ptr<uint8_t[]> bytes_;
  size_t size_ = 0, capacity_ = 0;
  uint64_t begin_ = 0;  // in the log
  bool is_last_ = false;
};

}  // namespace

Result<DecodeOutcome> decode_file(const std::string& path, EventSink& sink, const Progress& progress) {
  // A window grows for a longer stretch. Writers make none that comes near the last.
  constexpr size_t kWindow = 8u << 20, kLongest = 512u << 20;
  auto log = LogBytes::open(path);
  if (!log) return cannot_read(path, log.message());
  Window window;
  if (Status status = window.read(*log, path, std::min<uint64_t>(kWindow, log->size())); !status) return status;
  const Result<uint64_t> version = read_version(window.bytes().data(), window.bytes().size(), path);
  if (!version) return version.status();
  RingView ring;
  if (find_ring(window.bytes().data(), window.bytes().size(), ring)) {
    const Result<std::vector<uint8_t>> file = log->read_ring(ring);
    if (!file) return cannot_read(path, file.message());
    return decode_ring(*file, ring, log->tails(), *version, sink, progress);
  }
  LogDecoder decoder(log->size(), *version, sink, progress);
  while (true) {
    const size_t used = decoder.decode(window.bytes().data(), window.bytes().size(), window.begin(), window.is_last());
    window.drop(used);
    if (window.is_last()) return decoder.finish(window.begin());
    if (used == 0 && window.capacity() >= kLongest) {
      const auto bytes = window.bytes();
      return decoder.finish(window.begin() + decoder.decode(bytes.data(), bytes.size(), window.begin(), true));
    }
    const size_t wanted = used == 0 ? 2 * window.capacity() : window.capacity();
    if (Status status = window.read(*log, path, std::min<uint64_t>(wanted, log->size() - window.begin())); !status)
      return status;
  }
}

Result<DecodeOutcome> decode_bytes(const uint8_t* data, size_t size, EventSink& sink) {
  const Result<uint64_t> version = read_version(data, size, "bytes in memory");
  if (!version) return version.status();
  RingView ring;
  return find_ring(data, size, ring) ? decode_ring({data, size}, ring, {}, *version, sink, {})
                                     : decode_all({data, size}, *version, sink, {});
}

}  // namespace oriel::log
