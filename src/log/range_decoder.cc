#include "log/range_decoder.h"

#include <memory>
#include <utility>
#include <vector>

#include "log/block_decoder.h"
#include "log/compressed.h"
#include "log/field_reader.h"
#include "log/log_reader.h"

namespace oriel::log {
namespace {

struct Entry {
  RestEntry what{};
  uint64_t values[7] = {};
  BlockView block;
  std::vector<uint64_t> methods;
};

size_t values_of(RestEntry what) {
  switch (what) {
    case RestEntry::kBlock:
    case RestEntry::kThread:
    case RestEntry::kNoStack:
      return 1;
    case RestEntry::kFrame:
    case RestEntry::kClock:
      return 2;
    case RestEntry::kSeen:
      return 3;
    case RestEntry::kStack:
    case RestEntry::kCalls:
      return 7;
  }
  return 0;
}

bool read_methods(Cursor& in, uint64_t count, std::vector<uint64_t>& methods) {
  if (count > in.left()) return false;
  methods.resize(count);
  for (uint64_t& method : methods)
    if (!in.integer(method)) return false;
  return true;
}

bool read_entry(Cursor& in, Entry& entry) {
  if (in.left() == 0) return false;
  entry.what = static_cast<RestEntry>(*in.at++);
  const size_t count = values_of(entry.what);
  for (size_t i = 0; i < count; ++i)
    if (!in.integer(entry.values[i])) return false;
  if (entry.what == RestEntry::kStack) return read_methods(in, entry.values[6], entry.methods);
  if (entry.what != RestEntry::kBlock) return count != 0;
  if (!read_block(in.at, in.left(), 0, entry.block)) return false;
  in.at += kBlockHeaderSize + entry.block.size;
  return true;
}

void tell(Entry& entry, uint64_t begin, BlockDecoder& decoder, RangeSink& sink) {
  const auto& [first, second, third, fourth, fifth, sixth, seventh] = entry.values;
  switch (entry.what) {
    case RestEntry::kBlock: {
      FoundBlock block{entry.block, false};
      block.offset = begin + first;
      return decoder.decode(block);
    }
    case RestEntry::kThread:
      return sink.on_passed(first);
    case RestEntry::kSeen:
      return sink.on_passed(PassedThread{first, {second, second + third}});
    case RestEntry::kFrame:
      return sink.on_passed(PassedFrame{true, static_cast<FrameKind>(first & 1), first >> 1, second});
    case RestEntry::kNoStack:
      return sink.on_passed(PassedFrame{false, FrameKind::kManaged, 0, first});
    case RestEntry::kClock:
      return sink.on_clock({first, second});
    case RestEntry::kCalls:
      return sink.on_passed(PassedCalls{first, second, third, fourth, fifth, sixth, seventh});
    case RestEntry::kStack:
      return sink.on_passed(PassedStack{.thread = first,
                                        .counter = second,
                                        .last = third,
                                        .waited_ns = fourth,
                                        .waiting_ns = fifth,
                                        .ended = sixth >> 1,
                                        .is_after_gap = (sixth & 1) != 0,
                                        .opened = std::move(entry.methods)});
  }
}

bool overlap(const CounterRange& a, const CounterRange& b) { return a.from <= b.to && b.from <= a.to; }

// Whether there are samples or calls in the piece, outside its rest, of a thread that is not left out.
bool has_wanted_thread(Cursor rest, const LogPart& part) {
  if (part.left_out.empty()) return true;
  for (Entry entry; read_entry(rest, entry);)
    if (entry.what == RestEntry::kThread && !part.left_out.contains(entry.values[0])) return true;
  return false;
}

// False, before anything was told, if the piece has to be read.
bool pass_over(const IndexPiece& piece, const LogPart& part, uint64_t begin, BlockDecoder& decoder, RangeSink& sink) {
  const bool is_in_range = overlap(piece.counters, part.range);
  if (piece.rest.empty() || (is_in_range && part.left_out.empty())) return false;
  const auto rest = decompress(piece.rest.data(), piece.rest.size(), piece.rest_size);
  if (rest == nullptr) return false;
  if (is_in_range && has_wanted_thread({rest.get(), rest.get() + piece.rest_size}, part)) return false;
  decoder.pass_over({piece.blocks, piece.raw_bytes, piece.unpacked});
  Cursor in{rest.get(), rest.get() + piece.rest_size};
  for (Entry entry; read_entry(in, entry);) tell(entry, begin, decoder, sink);
  return true;
}

}  // namespace

Result<DecodeOutcome> decode_range(const std::string& path, const SampleIndex& index, const LogPart& part,
                                   RangeSink& sink, const std::function<void(uint64_t, uint64_t)>& progress) {
  Result<LogReader> reader = LogReader::open(path);
  if (!reader) return reader.status();
  const std::unique_ptr<BlockDecoder> decoder = make_block_decoder(reader->version(), sink);
  const auto problem = holes_to(sink);
  uint64_t told = 0;
  const auto read_to = [&](uint64_t begin, uint64_t end) {
    if (reader->position() < begin) reader->go_to(begin);
    for (FoundBlock block; reader->position() < end && reader->next(block, problem);) {
      decoder->decode(block);
      if (!progress || block.offset < told + kProgressStep) continue;
      told = block.offset;
      progress(told, reader->log_bytes());
    }
  };
  uint64_t begin = 0;
  if (index.end() <= reader->own_bytes()) {
    for (const IndexPiece& piece : index.pieces) {
      if (!pass_over(piece, part, begin, *decoder, sink)) read_to(begin, piece.end);
      if (!reader->failed()) return reader->failed();  // before it goes on elsewhere
      begin = piece.end;
    }
  }
  read_to(begin, UINT64_MAX);
  if (!reader->failed()) return reader->failed();
  if (progress) progress(reader->log_bytes(), reader->log_bytes());
  return outcome_of(*reader, *decoder);
}

}  // namespace oriel::log
