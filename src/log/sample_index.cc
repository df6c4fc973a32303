#include "log/sample_index.h"

#include <zstd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "log/block_decoder.h"
#include "log/calls_decoder.h"
#include "log/compressed.h"
#include "log/encoder.h"
#include "log/field_reader.h"
#include "log/framing.h"
#include "log/log_reader.h"
#include "log/piece_calls.h"
#include "log/read_samples.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

// A rest that is a larger part of its piece is not worth a copy of it.
constexpr uint64_t kLargestPart = 4;

// The frames of nodes, numbered from 1 as they come, 0 for samples without a stack.
class NodeFrames {
 public:
  void add(const StackNode& node) {
    // Ids of valid logs are dense. Samples of others are not summed.
    if (node.id > frame_of_.size() + 1024) return;
    if (node.id >= frame_of_.size()) frame_of_.resize(node.id + 1);
    const uint64_t key = node.frame << 1 | static_cast<uint64_t>(node.kind);
    const auto [at, made] = numbers_.try_emplace(key, static_cast<uint32_t>(keys_.size()));
    if (made) keys_.push_back(key);
    frame_of_[node.id] = at->second;
  }
  // False if the log has no such node.
  bool find(uint64_t node, uint32_t& frame) const {
    frame = node < frame_of_.size() ? frame_of_[node] : 0;
    return node == 0 || frame != 0;
  }
  uint64_t key(uint32_t frame) const { return keys_[frame]; }
  size_t size() const { return keys_.size(); }

 private:
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::vector<uint64_t> keys_{0};
  std::vector<uint32_t> frame_of_{0};  // by node
};

void widen(CounterRange& range, const CounterRange& more) {
  range.from = std::min(range.from, more.from);
  range.to = std::max(range.to, more.to);
}

// The samples of a piece that are passed over, and when each thread had samples or calls.
class Sums {
 public:
  // False, and nothing is added, if the block is damaged or has what cannot be summed.
  bool add(Cursor in, const NodeFrames& frames, uint64_t& thread) {
    SamplesBlock head;
    taken_.samples.clear();
    taken_.is_plain = true;
    if (!read_samples(in, kVersion2, head, taken_) || !taken_.is_plain) return false;
    if (taken_.samples.empty()) return false;  // its thread is told of by no sample
    for (Sample& sample : taken_.samples) {
      uint32_t frame = 0;
      if (!frames.find(sample.node, frame)) return false;
      sample.node = frame;
    }
    thread = head.thread;
    if (periods_.size() < frames.size()) periods_.resize(frames.size());
    CounterRange& seen = threads_.try_emplace(thread, kNoCounters).first->second;
    for (const Sample& sample : taken_.samples) add(sample, seen);
    return true;
  }
  // Calls or allocations of a thread, with the counters that a reader takes as those of the thread.
  void add(uint64_t thread, const CounterRange& counters, const CounterRange& seen) {
    widen(all_, counters);
    widen(threads_.try_emplace(thread, kNoCounters).first->second, seen);
  }
  const CounterRange& all() const { return all_; }

  // Puts what was added there, and begins anew.
  void end(const NodeFrames& frames, ByteBuffer& rest);

 private:
  struct Taken : EventSink {
    void on_sample(uint64_t, const Sample& sample) override { samples.push_back(sample); }
    void on_compiling(uint64_t, const Compiling&) override { is_plain = false; }
    std::vector<Sample> samples;
    bool is_plain = true;
  };
  // Its node is its frame's number. Periods have a limit, as in a profile.
  void add(const Sample& sample, CounterRange& thread) {
    widen(all_, {sample.counter, sample.counter});
    widen(thread, {sample.counter, sample.counter});
    uint64_t& sum = periods_[sample.node];
    if (sum == 0) touched_.push_back(static_cast<uint32_t>(sample.node));
    sum += std::min<uint64_t>(sample.periods, UINT32_MAX);
  }

  Taken taken_;
  CounterRange all_ = kNoCounters;
  std::map<uint64_t, CounterRange> threads_;
  std::vector<uint64_t> periods_;  // by frame
  std::vector<uint32_t> touched_;
};

void put(RestEntry what, std::initializer_list<uint64_t> values, ByteBuffer& rest) {
  Encoder encoder(rest);
  encoder.byte("", static_cast<uint8_t>(what), "");
  for (const uint64_t value : values) encoder.integer("", value, "");
}

void Sums::end(const NodeFrames& frames, ByteBuffer& rest) {
  for (const auto& [thread, seen] : threads_) put(RestEntry::kSeen, {thread, seen.from, seen.to - seen.from}, rest);
  std::ranges::sort(touched_);
  for (const uint32_t frame : touched_) {
    if (frame == 0) put(RestEntry::kNoStack, {periods_[0]}, rest);
    if (frame != 0) put(RestEntry::kFrame, {frames.key(frame), periods_[frame]}, rest);
    periods_[frame] = 0;
  }
  touched_.clear();
  threads_.clear();
  all_ = kNoCounters;
}

void put(const PassedStack& stack, ByteBuffer& rest) {
  const uint64_t ended = stack.ended << 1 | (stack.is_after_gap ? 1 : 0);
  put(RestEntry::kStack,
      {stack.thread, stack.counter, stack.last, stack.waited_ns, stack.waiting_ns, ended, stack.opened.size()}, rest);
  Encoder encoder(rest);
  for (const uint64_t method : stack.opened) encoder.integer("", method, "");
}

// What blocks tell that are decoded for the index, as they are for a reader.
class IndexSink : public EventSink {
 public:
  bool wants(Block kind) const override {
    using enum Block;
    return kind == kMapping || kind == kStacks || kind == kEvents || kind == kCalls || kind == kCompressed;
  }
  void on_stack_node(const StackNode& node) override { nodes.add(node); }
  void on_clock(const ClockPair& pair) override { clock = pair; }
  void on_calls(uint64_t of, std::span<const Call> told) override {
    see(of, told.front().counter);
    see(of, told.back().counter);
    for (const Call& call : told) widen(counters, {call.counter, call.counter});
    calls.add(of, told);
  }
  void on_event(const Event& event) override {
    if (!calls.add(event)) return;
    see(event.thread, event.counter);
    uint32_t frame = 0;
    if (event.number == oriel_event_gc_allocation && !nodes.find(event.stack, frame)) has_all_nodes = false;
  }
  // Its thread is a reader's, whether it has calls or not.
  bool on_calls_block(const BlockView&, const CallsBlock& head, const Cursor&) override {
    thread = head.thread;
    return false;
  }
  void on_lost_calls(const CallsBlock& head) override { calls.lose(head.thread); }
  void on_hole() override {
    has_hole = true;
    calls.end_all();
  }
  void begin_block() {
    seen = counters = kNoCounters;
    has_all_nodes = true;
  }
  bool has_calls() const { return seen.from <= seen.to; }

  NodeFrames nodes;
  PieceCalls calls;
  // Of the last block: the thread of its calls and allocations, their counters; those that a reader takes as the
  // thread's; and whether the nodes of allocations are known.
  uint64_t thread = 0;
  CounterRange counters = kNoCounters, seen = kNoCounters;
  ClockPair clock;
  bool has_all_nodes = true;
  bool has_hole = false;

 private:
  void see(uint64_t of, uint64_t counter) {
    thread = of;
    widen(counters, {counter, counter});
    widen(seen, {counter, counter});
  }
};

class IndexMaker {
 public:
  IndexMaker(SampleIndex& index, uint64_t piece)
      : index_(index), least_(piece), decoder_(make_block_decoder(kVersion2, sink_)) {}

  void add(const FoundBlock& block);
  // The piece has to be read.
  void tell_problem() { sink_.on_hole(); }

 private:
  void take(const BlockView& block);
  bool unpack(const BlockView& block);
  void pass_over(const BlockView& block) {
    ++piece_.blocks;
    piece_.raw_bytes += kBlockHeaderSize + block.size;
  }
  // False if the block is invalid.
  bool decode(const FoundBlock& block);
  void keep(const BlockView& block);
  void pass_thread(uint64_t thread) {
    if (threads_.insert(thread).second) put(RestEntry::kThread, {thread}, rest_);
  }
  void sum(const BlockView& block);
  void sum_calls(const BlockView& block);
  void take_check(const BlockView& block);
  void put_calls();
  void end_piece(uint64_t end);

  SampleIndex& index_;
  uint64_t least_;
  IndexSink sink_;
  std::unique_ptr<BlockDecoder> decoder_;
  Sums sums_;
  IndexPiece piece_;
  ByteBuffer rest_;
  bool is_whole_ = false;
  bool passes_calls_ = false, keeps_calls_ = false;
  uint64_t begin_ = 0;          // of the piece
  std::string lost_;            // what the last check block says of losses
  std::set<uint64_t> threads_;  // of the piece, with samples or calls that are passed over
};

void IndexMaker::add(const FoundBlock& block) {
  if (block.is_damaged) {
    is_whole_ = true;
    decode(block);
  } else {
    take(block);
  }
  if (block.code == Block::kCheck && !block.is_damaged && end_of(block) >= begin_ + least_) end_piece(end_of(block));
}

void IndexMaker::take(const BlockView& block) {
  if (block.code == Block::kCompressed && unpack(block)) return;
  if (block.code == Block::kCalls) return sum_calls(block);
  decode({block, false});
  if (block.code == Block::kSamples) return sum(block);
  if (block.code == Block::kCheck) return take_check(block);
  if (block.code == Block::kSums) return pass_over(block);
  keeps_calls_ |= sink_.has_calls();
  keep(block);
}

bool IndexMaker::decode(const FoundBlock& block) {
  const uint64_t whole = decoder_->outcome().blocks;
  sink_.begin_block();
  decoder_->decode(block);
  is_whole_ |= std::exchange(sink_.has_hole, false);
  return decoder_->outcome().blocks != whole;
}

void IndexMaker::keep(const BlockView& block) {
  if (is_whole_ || rest_.size() + block.size > kMaxRawSize / 2) {
    is_whole_ = true;
    return;
  }
  put(RestEntry::kBlock, {block.offset - begin_}, rest_);
  uint8_t header[kBlockHeaderSize];
  write_block_header(header, block.code, static_cast<uint32_t>(block.size));
  rest_.append(header, sizeof header);
  rest_.append(block.data, block.size);
}

void IndexMaker::sum(const BlockView& block) {
  uint64_t thread = 0;
  if (!sums_.add({block.data, block.data + block.size}, sink_.nodes, thread)) return keep(block);
  pass_over(block);
  pass_thread(thread);
}

void IndexMaker::sum_calls(const BlockView& block) {
  if (!decode({block, false}) || !sink_.has_all_nodes) {
    is_whole_ = true;
    return;
  }
  pass_over(block);
  passes_calls_ = true;
  put(RestEntry::kClock, {sink_.clock.counter, sink_.clock.unix_us}, rest_);
  pass_thread(sink_.thread);
  if (!sink_.has_calls()) return;
  sums_.add(sink_.thread, sink_.counters, sink_.seen);
}

// Those that are kept come before the sum of the others, whatever their order was.
void IndexMaker::put_calls() {
  std::vector<PassedStack> stacks;
  is_whole_ = is_whole_ || keeps_calls_ || !sink_.calls.stacks(stacks);
  if (is_whole_) return;
  const PassedCalls& all = sink_.calls.sums();
  put(RestEntry::kCalls,
      {all.enters, all.first_enter, all.without_enter, all.without_leave, all.gaps, all.lost_events, all.allocated},
      rest_);
  for (const PassedStack& stack : stacks) put(stack, rest_);
}

// Its hash was right; what else it has is what was lost so far, which is hardly ever new.
void IndexMaker::take_check(const BlockView& block) {
  std::string lost(reinterpret_cast<const char*>(block.data), block.size - std::min(block.size, sizeof(uint64_t)));
  if (lost == lost_) return pass_over(block);
  lost_ = std::move(lost);
  keep(block);
}

// Its blocks come instead of it. False if they are not as they should be.
bool IndexMaker::unpack(const BlockView& block) {
  Cursor in{block.data, block.data + block.size};
  CompressedBlock head;
  if (!read_record(in, kVersion2, head)) return false;
  const auto raw = decompress(in.at, in.left(), head.raw_size);
  if (raw == nullptr) return false;
  BlockView inner;
  uint64_t at = 0;
  for (; read_block(raw.get(), head.raw_size, at, inner); at = end_of(inner))
    if (inner.code == Block::kIntro || inner.code == Block::kCheck || inner.code == Block::kCompressed) return false;
  if (at != head.raw_size) return false;
  pass_over(block);
  if (head.raw_size > block.size) piece_.unpacked += head.raw_size - block.size;
  decoder_->pass_over({0, kBlockHeaderSize + block.size, 0});
  for (at = 0; read_block(raw.get(), head.raw_size, at, inner); at += kBlockHeaderSize + inner.size) {
    inner.offset = block.offset;
    take(inner);
  }
  return true;
}

void IndexMaker::end_piece(uint64_t end) {
  piece_.end = end;
  piece_.counters = sums_.all();
  sums_.end(sink_.nodes, rest_);
  if (passes_calls_) put_calls();
  sink_.calls.begin_piece();
  if (!is_whole_) {
    piece_.rest.resize(ZSTD_compressBound(rest_.size()));
    const size_t got = ZSTD_compress(piece_.rest.data(), piece_.rest.size(), rest_.data(), rest_.size(), 1);
    const bool pays = !ZSTD_isError(got) && got <= (end - begin_) / kLargestPart && rest_.size() / kMaxRatio <= got &&
                      rest_.size() <= kMaxRawSize;
    piece_.rest.resize(pays ? got : 0);
    piece_.rest.shrink_to_fit();
    piece_.rest_size = pays ? rest_.size() : 0;
  }
  index_.pieces.push_back(std::move(piece_));
  piece_ = {};
  rest_.shrink(0);
  threads_.clear();
  is_whole_ = passes_calls_ = keeps_calls_ = false;
  begin_ = end;
}

}  // namespace

Result<SampleIndex> make_sample_index(const std::string& path, uint64_t piece,
                                      const std::function<void(uint64_t, uint64_t)>& progress) {
  Result<LogReader> reader = LogReader::open(path);
  if (!reader) return reader.status();
  SampleIndex index;
  if (reader->version() == kVersion1 || reader->own_bytes() == 0) return index;
  IndexMaker maker(index, piece);
  const auto tell = [&](uint64_t, const std::string&) { maker.tell_problem(); };
  for (FoundBlock block; reader->next(block, tell) && end_of(block) <= reader->own_bytes();) {
    const size_t pieces = index.pieces.size();
    maker.add(block);
    if (progress && index.pieces.size() != pieces) progress(index.end(), reader->log_bytes());
  }
  if (!reader->failed()) return reader->failed();
  return index;
}

}  // namespace oriel::log
