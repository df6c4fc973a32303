#include "log/version1_blocks.h"

#include <utility>

#include "log/event_codes.h"
#include "log/framing.h"
#include "log/layout.h"
#include "log/whole_block.h"
#include "log/write_all.h"

namespace oriel::log {
namespace {

constexpr size_t kMostPending = 1u << 20;
constexpr size_t kMostEventBytes = 256u << 10;
constexpr size_t kMostNames = 4096;
constexpr size_t kMostHits = 4096;

}  // namespace

template <typename Encode>
void Version1Blocks::block(Block code, Encode encode) {
  Encoder encoder(pending_, kVersion1);
  append_block(pending_, code, [&] { encode(encoder); });
  if (pending_.size() >= kMostPending) write();
}

void Version1Blocks::write() {
  if (error_ == 0) error_ = write_all(file_, pending_.data(), pending_.size());
  pending_.shrink(0);
}

void Version1Blocks::intro(const Intro& intro) {
  clock_ = written_clock_ = intro.clock;
  block(Block::kIntro, [&](Encoder& encoder) { fields(encoder, intro); });
}

void Version1Blocks::load(const Load& load) {
  block(load.unload ? Block::kUnloaded : Block::kLoaded, [&](Encoder& encoder) { fields(encoder, load); });
}

void Version1Blocks::name(ClassName name) {
  name_bytes_ += name.name.size();
  names_.classes.push_back(std::move(name));
  if (names_.classes.size() >= kMostNames || name_bytes_ >= kMostPending) end_names();
}

void Version1Blocks::name(MethodName name) {
  name_bytes_ += name.name.size();
  names_.methods.push_back(std::move(name));
  if (names_.methods.size() >= kMostNames || name_bytes_ >= kMostPending) end_names();
}

// Names stand before events and hits that use them.
void Version1Blocks::end_names() {
  if (names_.classes.empty() && names_.methods.empty()) return;
  names_.start = names_.end = written_clock_ = clock_;
  block(Block::kMapping, [&](Encoder& encoder) { fields(encoder, std::as_const(names_)); });
  names_ = {};
  name_bytes_ = 0;
}

void Version1Blocks::hits(const Statistical& hits) {
  end_names();
  block(Block::kStatistical, [&](Encoder& encoder) { fields(encoder, hits); });
}

void Version1Blocks::hits(uint64_t thread, uint64_t counter, FrameKind kind, uint64_t function, uint64_t count) {
  const size_t gathered = hits_.methods.size() + hits_.natives.size();
  if (gathered != 0 && (thread != hits_thread_ || counter < hits_.end || gathered >= kMostHits)) end_hits();
  if (hits_.methods.empty() && hits_.natives.empty()) hits_.start = counter;
  hits_thread_ = thread;
  hits_.end = counter;
  auto& functions = kind == FrameKind::kManaged ? hits_.methods : hits_.natives;
  functions.insert(functions.end(), count, function);
}

void Version1Blocks::end_hits() {
  if (hits_.methods.empty() && hits_.natives.empty()) return;
  hits(hits_);
  hits_ = {};
}

// A block's counters do not go back. What takes no time has the counter of what is before it, or the block's base.
void Version1Blocks::begin_event(uint64_t thread, uint64_t counter, bool takes_no_time) {
  const bool fits = in_events_ && thread == events_thread_ && counter >= last_ && events_.size() < kMostEventBytes &&
                    (!takes_no_time || counter == last_);
  if (fits) return;
  end_events();
  in_events_ = true;
  events_start_ = clock_;
  events_thread_ = thread;
  base_ = last_ = counter;
}

void Version1Blocks::end_events() {
  if (!std::exchange(in_events_, false)) return;
  end_names();
  block(Block::kEvents, [&](Encoder& encoder) {
    const EventsHead head{events_start_, events_thread_, base_};
    fields(encoder, head);
    pending_.append(events_.data(), events_.size());
    encoder.byte("", 0, "");
    fields(encoder, std::as_const(clock_));
  });
  written_clock_ = clock_;
  events_.shrink(0);
}

void Version1Blocks::call(uint64_t thread, uint64_t counter, Packed packed, uint64_t method) {
  begin_event(thread, counter, false);
  Encoder encoder(events_, kVersion1);
  encoder.byte("", event_code(packed, static_cast<unsigned>(method & 31)), "");
  encoder.integer("", method >> 5, "");
  encoder.integer("", counter - last_, "");
  last_ = counter;
}

void Version1Blocks::allocation(uint64_t thread, uint64_t counter, uint64_t klass, uint64_t bytes) {
  begin_event(thread, counter, true);
  Encoder encoder(events_, kVersion1);
  encoder.byte("", event_code(Packed::kAllocation, static_cast<unsigned>(klass & 31)), "");
  encoder.integer("", klass >> 5, "");
  encoder.integer("", bytes, "");
}

void Version1Blocks::event(uint64_t thread, uint64_t counter, uint8_t code, uint64_t value) {
  begin_event(thread, counter, false);
  Encoder encoder(events_, kVersion1);
  encoder.byte("", code, "");
  encoder.integer("", value, "");
  encoder.integer("", counter - last_, "");
  last_ = counter;
}

void Version1Blocks::end(const End& end) {
  end_events();
  end_hits();
  end_names();
  const End ours{kVersion1, end.clock};
  clock_ = written_clock_ = end.clock;
  block(Block::kEnd, [&](Encoder& encoder) { fields(encoder, ours); });
}

void Version1Blocks::finish() {
  end_events();
  end_hits();
  end_names();
  // The rate of the counters follows from CLOCKs: the last one is in the file, if only with no name.
  if (clock_.counter > written_clock_.counter) {
    Mapping none;
    none.start = none.end = written_clock_ = clock_;
    block(Block::kMapping, [&](Encoder& encoder) { fields(encoder, std::as_const(none)); });
  }
  write();
}

}  // namespace oriel::log
