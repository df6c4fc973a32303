#include "log/calls_writer.h"

#include <zstd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/clock.h"
#include "log/compressed.h"
#include "log/layout.h"
#include "log/whole_block.h"

namespace oriel::log {
namespace {

constexpr int kLevel = 1;

}  // namespace

void CallsWriter::Freed::operator()(ZSTD_CCtx_s* compressor) const { ZSTD_freeCCtx(compressor); }

void CallsWriter::begin(uint64_t thread, uint64_t base) {
  encoder_.begin(base);
  thread_ = thread;
  base_ = base;
  is_open_ = true;
}

std::span<const CallRecord> CallsWriter::add(std::span<const CallRecord> records, const ClassSizes& sizes,
                                             bool compressed) {
  const auto fitting = records.first(std::min(records.size(), encoder_.room()));
  encoder_.add(fitting, sizes);
  compressed_ = compressed;
  return records.subspan(fitting.size());
}

void CallsWriter::end(Encoder& encoder, ByteBuffer& out) {
  is_open_ = false;
  write(encoder, out, compressed_);
}

void CallsWriter::end_block(ByteBuffer& out) {
  Encoder encoder(out);
  append_block(out, Block::kCalls, [&] { end(encoder, out); });
}

void CallsWriter::copy(Encoder& encoder, ByteBuffer& out) { write(encoder, out, false); }

void CallsWriter::write(Encoder& encoder, ByteBuffer& out, bool compressed) {
  const CallsEncoder::Streams streams = encoder_.streams();
  Bytes ops = streams.ops, low = streams.low, more = streams.more;
  if (compressed) {
    ops = pack(streams.ops, ops_);
    low = pack(streams.low, low_);
    more = pack(streams.more, more_);
    // What a reader would refuse.
    if (streams.bytes() / kMaxRatio > ops.size() + low.size() + more.size()) low = streams.low;
  }
  const auto frame = [](Bytes stored, Bytes stream) { return stored.data() != stream.data() ? stored.size() : 0; };
  CallsBlock head{clock_pair(), thread_, base_, streams.ops.size(), streams.more.size()};
  head.ops_frame = frame(ops, streams.ops);
  head.low_frame = frame(low, streams.low);
  head.more_frame = frame(more, streams.more);
  fields(encoder, std::as_const(head));
  for (const Bytes bytes : {ops, low, more}) out.append(bytes.data(), bytes.size());
}

CallsWriter::Bytes CallsWriter::pack(Bytes stream, ByteBuffer& room) {
  constexpr size_t kLeast = 64;
  if (stream.size() < kLeast) return stream;
  if (!compressor_) compressor_.reset(ZSTD_createCCtx());
  if (!compressor_) throw std::bad_alloc();
  const size_t most = ZSTD_compressBound(stream.size());
  room.shrink(0);
  uint8_t* const at = room.room(most);
  const size_t got = ZSTD_compressCCtx(compressor_.get(), at, most, stream.data(), stream.size(), kLevel);
  if (ZSTD_isError(got) || got > stream.size() - stream.size() / 16) return stream;
  return {at, got};
}

}  // namespace oriel::log
