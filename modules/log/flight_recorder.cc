#include "flight_recorder.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "ears.h"
#include "saving.h"

namespace oriel::log_module {
namespace {

uint64_t ns_of(std::chrono::seconds time) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
}

}  // namespace

Status FlightRecorder::open(const FilePlan& plan, const std::string& path, const log::Intro& intro) {
  auto ring = log::RingFile::create(plan.path, intro, {plan.held.bytes, ns_of(plan.held.time)});
  if (!ring) return ring.status();
  ring_ = std::move(*ring);
  path_ = path;
  apply(plan);
  const std::lock_guard guard(lock_);
  limits_ = plan.held;
  return Status::ok();
}

void FlightRecorder::apply(const FilePlan& plan) {
  triggers_.set(plan.save_when, plan.held.time);
  keep_ = plan.keep != 0 ? plan.keep : kKeptByDefault;
}

void FlightRecorder::close() {
  triggers_.set({}, {});
  ring_.reset();
}

// Eight segments cover a recorder's time, or its bytes: the oldest goes as a whole.
bool FlightRecorder::is_segment_due(const LogFile& segment) const {
  constexpr uint64_t kSegments = 8;
  return segment.has_dropped() || ring_->segment_bytes() >= limits_.bytes / kSegments ||
         ring_->segment_ns(clock_monotonic_ns()) >= ns_of(limits_.time) / kSegments;
}

void FlightRecorder::say_if_dropped(const LogFile& segment) {
  if (segment.has_dropped() && !std::exchange(any_dropped_, true))
    oriel_warn(
        "log: the recorder has left out what did not fit into its size at once; give it more, such as "
        "--recorder 60s/256MB");
}

Result<std::string> FlightRecorder::save(LogFile& segment, const SaveCause& cause, const std::string& path) {
  oriel_mark(("recorder: " + cause.why).c_str());
  if (Status status = segment.write_all(); !status) return status;
  const std::string place = path.empty() ? name_of_saved(path_, cause.word) : path;
  const std::vector<log::Lost> lost = segment.lost();
  if (Status status = save_ring(*ring_, place, lost, [&] { segment.drain(); }); !status) return status;
  ears().saved.add(place);
  if (const Status status = ears().saved.keep(keep_); !status && !std::exchange(any_removal_failed_, true))
    oriel_warn(("log: " + status.message()).c_str());
  const std::lock_guard guard(lock_);
  saved_ = place;
  ++times_saved_;
  return place;
}

void FlightRecorder::save_if_due(LogFile& segment) {
  const std::optional<SaveCause> cause = triggers_.due(std::chrono::steady_clock::now());
  if (!cause) return;
  const Result<std::string> saved = save(segment, *cause, "");
  if (saved)
    oriel_warn(("log: the recorder saved " + *saved + ": " + cause->why).c_str());
  else if (!any_save_failed_)
    oriel_warn(("log: the recorder could not save: " + saved.message()).c_str());
  any_save_failed_ = !saved;
}

void FlightRecorder::note_held() {
  const log::RingFile::Held held = ring_->held(clock_monotonic_ns());
  const std::lock_guard guard(lock_);
  held_ = held;
}

std::string FlightRecorder::details() const {
  const std::lock_guard guard(lock_);
  return limits_.any() ? held_text(held_, limits_, times_saved_, saved_) : "";
}

}  // namespace oriel::log_module
