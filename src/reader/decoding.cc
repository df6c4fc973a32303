// The block reader and the decoder.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/version.h"
#include "log/block_decoder.h"
#include "log/field_reader.h"
#include "log/log_reader.h"
#include "profile/build/clock_reader.h"
#include "reader/guard.h"
#include "reader/sinks.h"

using oriel::Result;
using oriel::reader::as_known;
using oriel::reader::guarded;
using oriel::reader::hand_out;
using oriel::reader::lacks;
using oriel::reader::MessageRoom;
using oriel::reader::ToCaller;

struct oriel_log_blocks {
  const oriel::profile::ClockReader& clock();

  oriel::log::LogReader reader;
  std::string path;                // of a file
  std::span<const uint8_t> bytes;  // else these
  oriel_log_block block{};
  bool is_failure_told = false;
  std::optional<oriel::profile::ClockReader> known_clock = {};
};

struct oriel_log_decoder {
  explicit oriel_log_decoder(const oriel_log_sink& its) : sink(its) {}

  ToCaller sink;
  std::unique_ptr<oriel::log::BlockDecoder> decoder;  // from the first block on
};

namespace {

oriel_log_blocks* open_blocks(Result<oriel::log::LogReader> reader, const std::string& path,
                              std::span<const uint8_t> bytes, const MessageRoom& room) {
  if (!reader) return room.say(reader.message()), nullptr;
  return new oriel_log_blocks{std::move(*reader), path, bytes};
}

// The block's version, else what it says as the log's intro, which may be damaged. 0: neither.
uint64_t version_of(const oriel_log_block& block) {
  if (block.version != 0) return block.version;
  oriel::log::Cursor in{block.data, block.data + block.length};
  uint64_t version = 0;
  const bool is_intro = block.code == static_cast<uint32_t>(oriel::log::Block::kIntro);
  return is_intro && in.integer(version) ? version : 0;
}

// An error's message, or nothing.
std::optional<std::string> begin(const oriel_log_block& block, oriel_log_decoder& decoder) {
  const uint64_t version = version_of(block);
  if (version == 0)
    return "the first block has no version, and is no intro, which tells it: decode the log's intro first";
  if (version != oriel::log::kVersion1 && version != oriel::log::kVersion2)
    return "blocks of a log of version " + std::to_string(version) +
           ", but this library reads versions 1 and 2; use a newer one";
  decoder.decoder = oriel::log::make_block_decoder(version, decoder.sink);
  return {};
}

oriel_log_outcome outcome_of(const oriel::log::DecodeOutcome& outcome) {
  return {sizeof(oriel_log_outcome), outcome.bytes,      outcome.blocks,
          outcome.corrupt_blocks,    outcome.torn_bytes, outcome.ended ? 1u : 0u};
}

int finish(const Result<oriel::log::DecodeOutcome>& outcome, oriel_log_outcome* to, const MessageRoom& room) {
  if (!outcome) return room.say(outcome.message()), 1;
  hand_out(outcome_of(*outcome), to);
  return 0;
}

}  // namespace

const oriel::profile::ClockReader& oriel_log_blocks::clock() {
  if (known_clock) return *known_clock;
  oriel::profile::ClockReader made;
  const auto read =
      path.empty() ? oriel::log::decode_bytes(bytes.data(), bytes.size(), made) : oriel::log::decode_file(path, made);
  if (read) made.clock.seal(made.intro.clock, oriel::profile::fallback_rate(made.intro));
  return known_clock.emplace(std::move(made));
}

const char* oriel_log_version(void) { return oriel::version_text(); }

oriel_log_blocks* oriel_log_blocks_open(const char* path, char* message, size_t size) {
  const MessageRoom room{message, size};
  if (lacks({{path, "path"}}, room)) return nullptr;
  return guarded<oriel_log_blocks*>(room, nullptr,
                                    [&] { return open_blocks(oriel::log::LogReader::open(path), path, {}, room); });
}

oriel_log_blocks* oriel_log_blocks_in(const void* bytes, size_t length, char* message, size_t size) {
  const MessageRoom room{message, size};
  if (length > 0 && lacks({{bytes, "bytes"}}, room)) return nullptr;
  return guarded<oriel_log_blocks*>(room, nullptr, [&] {
    const std::span<const uint8_t> all(static_cast<const uint8_t*>(bytes), length);
    return open_blocks(oriel::log::LogReader::in(all, "bytes in memory"), "", all, room);
  });
}

void oriel_log_blocks_close(oriel_log_blocks* blocks) { delete blocks; }

const oriel_log_block* oriel_log_blocks_next(oriel_log_blocks* blocks, const oriel_log_sink* sink) {
  if (blocks == nullptr) return nullptr;
  return guarded<const oriel_log_block*>({}, nullptr, [&]() -> const oriel_log_block* {
    ToCaller to(sink != nullptr ? as_known(*sink) : oriel_log_sink{});
    oriel::log::FoundBlock found;
    if (!blocks->reader.next(found, [&](uint64_t at, const std::string& what) { to.on_problem(at, what); })) {
      const oriel::Status& failed = blocks->reader.failed();
      if (!failed && !std::exchange(blocks->is_failure_told, true)) to.on_problem(0, failed.message());
      return nullptr;
    }
    const uint32_t version = oriel_log_blocks_version(blocks);
    blocks->block = {sizeof blocks->block,
                     static_cast<uint32_t>(found.code),
                     found.is_damaged ? 1u : 0u,
                     found.data,
                     found.size,
                     found.offset,
                     version};
    return &blocks->block;
  });
}

uint32_t oriel_log_blocks_version(const oriel_log_blocks* blocks) {
  return blocks != nullptr ? static_cast<uint32_t>(blocks->reader.version()) : 0;
}

int64_t oriel_log_blocks_ns(oriel_log_blocks* blocks, uint64_t counter) {
  if (blocks == nullptr) return 0;
  return guarded<int64_t>({}, 0, [&] { return blocks->clock().clock.ns(counter); });
}

int64_t oriel_log_blocks_duration_ns(oriel_log_blocks* blocks, uint64_t counts) {
  if (blocks == nullptr) return 0;
  return guarded<int64_t>({}, 0, [&] { return blocks->clock().clock.duration_ns(counts); });
}

oriel_log_decoder* oriel_log_decoder_create(const oriel_log_sink* sink, char* message, size_t size) {
  const MessageRoom room{message, size};
  if (lacks({{sink, "sink"}}, room)) return nullptr;
  return guarded<oriel_log_decoder*>(room, nullptr, [&] { return new oriel_log_decoder(as_known(*sink)); });
}

void oriel_log_decoder_destroy(oriel_log_decoder* decoder) { delete decoder; }

int oriel_log_decoder_decode(oriel_log_decoder* decoder, const oriel_log_block* given, char* message, size_t size) {
  const MessageRoom room{message, size};
  if (lacks({{decoder, "decoder"}, {given, "block"}}, room)) return 1;
  return guarded<int>(room, 1, [&] {
    const oriel_log_block block = as_known(*given);
    if (block.length > 0 && lacks({{block.data, "data of the block"}}, room)) return 1;
    if (decoder->decoder == nullptr) {
      if (const auto error = begin(block, *decoder)) return room.say(*error), 1;
    }
    oriel::log::FoundBlock found;
    found.code = static_cast<oriel::log::Block>(block.code);
    found.data = block.data;
    found.size = block.length;
    found.offset = block.offset;
    found.is_damaged = block.damaged != 0;
    decoder->decoder->decode(found);
    return 0;
  });
}

void oriel_log_decoder_outcome(const oriel_log_decoder* decoder, oriel_log_outcome* outcome) {
  const bool has_begun = decoder != nullptr && decoder->decoder != nullptr;
  hand_out(outcome_of(has_begun ? decoder->decoder->outcome() : oriel::log::DecodeOutcome{}), outcome);
}

int oriel_log_decode_file(const char* path, const oriel_log_sink* sink, oriel_log_outcome* outcome, char* message,
                          size_t size) {
  const MessageRoom room{message, size};
  if (lacks({{path, "path"}, {sink, "sink"}}, room)) return 1;
  return guarded<int>(room, 1, [&] {
    ToCaller to(as_known(*sink));
    return finish(oriel::log::decode_file(path, to), outcome, room);
  });
}

int oriel_log_decode_bytes(const void* bytes, size_t length, const oriel_log_sink* sink, oriel_log_outcome* outcome,
                           char* message, size_t size) {
  const MessageRoom room{message, size};
  if ((length > 0 && lacks({{bytes, "bytes"}}, room)) || lacks({{sink, "sink"}}, room)) return 1;
  return guarded<int>(room, 1, [&] {
    ToCaller to(as_known(*sink));
    return finish(oriel::log::decode_bytes(static_cast<const uint8_t*>(bytes), length, to), outcome, room);
  });
}
