#include "log/block_packer.h"

#include <zstd.h>

#include <new>

#include "log/compressed.h"

namespace oriel::log {
namespace {

constexpr int kLevel = 1;
// Fewer bytes are not worth a frame. More are several frames, so that a reader needs little memory for one.
constexpr size_t kLeast = 128, kMost = 1u << 20;

// What can share a frame. Names and nodes have frames of their own: what follows in the log needs them, so that damage
// to samples and events must not cost them.
enum class Pack : uint8_t { kNot, kDefinitions, kData };

Pack pack_of(Block code) {
  switch (code) {
    case Block::kIntro:
    case Block::kCheck:
    case Block::kSums:
    case Block::kRing:
    case Block::kEnd:
    case Block::kCompressed:
    case Block::kCalls:
    case Block::kHeapObjects:
    case Block::kHeapReferences:
    case Block::kHeapValues:
      return Pack::kNot;
    case Block::kMapping:
    case Block::kStacks:
      return Pack::kDefinitions;
    default:
      return Pack::kData;
  }
}

}  // namespace

void BlockPacker::Freed::operator()(ZSTD_CCtx_s* compressor) const { ZSTD_freeCCtx(compressor); }

void BlockPacker::pack(ByteBuffer& blocks) {
  packed_.shrink(0);
  const uint8_t* const data = blocks.data();
  size_t run = 0, at = 0, added = 0;  // `added`: up to where all is in packed_
  Pack pack = Pack::kNot;             // of the run
  bool any = false;
  const auto end_run = [&] {
    if (pack != Pack::kNot && at - run >= kLeast) {
      packed_.append(data + added, run - added);
      added = add_compressed({data + run, at - run}) ? at : run;
      any = any || added == at;
    }
    run = at;
  };
  BlockView block;
  for (; read_block(data, blocks.size(), at, block); at = end_of(block)) {
    const Pack its = pack_of(block.code);
    if (its != pack || end_of(block) - run > kMost) end_run();
    pack = its;
  }
  end_run();
  if (!any || at != blocks.size()) return;
  packed_.append(data + added, at - added);
  blocks.swap(packed_);
}

bool BlockPacker::add_compressed(std::span<const uint8_t> run) {
  if (run.size() > kMaxRawSize) return false;
  if (!compressor_) compressor_.reset(ZSTD_createCCtx());
  if (!compressor_) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_checksumFlag, 1);  // tells a damaged one
  const size_t start = packed_.size();
  packed_.commit(packed_.room(kBlockHeaderSize) + kBlockHeaderSize);
  Encoder encoder(packed_);
  const CompressedBlock head{run.size()};
  fields(encoder, head);
  uint8_t* const frame = packed_.room(ZSTD_compressBound(run.size()));
  const size_t got = ZSTD_compress2(compressor_.get(), frame, ZSTD_compressBound(run.size()), run.data(), run.size());
  const size_t before = packed_.size() - start;
  // A reader refuses what is too dense.
  const bool pays = !ZSTD_isError(got) && before + got < run.size() - run.size() / 16 && run.size() / kMaxRatio <= got;
  if (!pays) {
    packed_.shrink(start);
    return false;
  }
  packed_.commit(frame + got);
  write_block_header(packed_.data() + start, Block::kCompressed,
                     static_cast<uint32_t>(packed_.size() - start - kBlockHeaderSize));
  return true;
}

}  // namespace oriel::log
