#include "push/sender.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "push/backoff.h"

namespace oriel::push {

using std::chrono::milliseconds;

namespace {

// Whether nothing more can become of a parcel.
bool is_final(Outcome outcome) { return outcome == Outcome::kDelivered || outcome == Outcome::kRefused; }

}  // namespace

// Each outage once: what repeats itself every few seconds would fill a log.
void Sender::tell_failure(const std::string& message) {
  if (message == told_) return;
  told_ = message;
  hooks_.tell(message);
}

// Whether the time has come; false if it is later than `until`, or the wait was interrupted.
bool Sender::wait_until(Time time, Time until) {
  const auto left = std::chrono::ceil<milliseconds>(time - hooks_.now());
  return left <= milliseconds(0) || (time <= until && hooks_.wait(left));
}

Outcome Sender::deliver(const Parcel& parcel, Time until) {
  for (unsigned attempt = 0;; ++attempt) {
    if (!wait_until(not_before_, until)) return Outcome::kLater;
    const Answer answer = hooks_.post(parcel);
    const Verdict verdict = judge(answer, server_, timeout_);
    if (verdict.outcome == Outcome::kDelivered) {
      if (!told_.empty()) hooks_.tell(fmt::format("{} takes profiles again", server_.url));
      told_.clear();
      if (!verdict.message.empty()) hooks_.tell(verdict.message);
      ++counts_.delivered;
      return Outcome::kDelivered;
    }
    if (const auto asked = retry_after(answer.retry_after, std::time(nullptr))) not_before_ = hooks_.now() + *asked;
    const bool may_succeed =
        verdict.outcome == Outcome::kLater && answer.failure != Answer::Failure::kInterrupted && not_before_ <= until;
    if (may_succeed && wait_until(hooks_.now() + pause_after(attempt, hooks_.random()), until)) continue;
    tell_failure(verdict.message);
    return verdict.outcome;
  }
}

Outcome Sender::deliver_spooled(Time until) {
  Outcome last = Outcome::kDelivered;
  const size_t damaged = spool_->deliver(server_.url, [&](const Parcel& parcel) {
    last = deliver(parcel, until);
    if (last == Outcome::kRefused) ++counts_.lost;
    return is_final(last) ? Spool::Then::kRemove : Spool::Then::kStop;
  });
  if (damaged > 0) hooks_.tell(fmt::format("damaged files were removed from the spool: {}", damaged));
  return last;
}

void Sender::keep(const Parcel& parcel) {
  if (!spool_) {
    ++counts_.lost;
    return;
  }
  const Result<Spool::Dropped> kept = spool_->keep(parcel);
  if (!kept) {
    ++counts_.lost;
    hooks_.tell(kept.message());
    return;
  }
  ++counts_.kept;
  counts_.lost += kept->parcels;
  if (kept->parcels > 0)
    hooks_.tell(
        fmt::format("the spool is full: its oldest requests were dropped ({}, {} KB); --spool-limit gives it more",
                    kept->parcels, (kept->bytes + 500) / 1000));
}

void Sender::send(const Parcel& parcel, milliseconds patience) {
  const Time until = hooks_.now() + patience;
  Outcome outcome = spool_ ? deliver_spooled(until) : Outcome::kDelivered;
  // One outage, one wait: where the older ones cannot be delivered, the new one is not tried.
  if (is_final(outcome)) {
    counts_.kept = 0;
    outcome = deliver(parcel, until);
  }
  if (outcome == Outcome::kRefused) ++counts_.lost;
  if (!is_final(outcome)) keep(parcel);
}

}  // namespace oriel::push
