#include "profile/losses.h"

#include <string_view>
#include <utility>

namespace oriel::profile {
namespace {

LostWhat what_of(std::string_view reason) {
  if (reason.starts_with("stack-")) return LostWhat::kCallers;
  if (reason.starts_with("events-")) return LostWhat::kEvents;
  return reason.starts_with("calls-") ? LostWhat::kCallEvents : LostWhat::kSamples;
}

std::string words_of(const std::string& reason) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"thread-limit", "more threads than can be sampled"},
      {"thread-ended", "the thread or the program had ended"},
      {"nested", "a sample was being taken"},
      {"signal-blocked", "the thread had the signal blocked"},
      {"timer-failed", "the system refused a timer or signal"},
      {"buffer-full", "a buffer was full"},
      {"stack-broken", "the walk broke"},
      {"stack-deep", "deeper than the limit"},
      {"events-no-memory", "no memory"},
      {"calls-buffer-full", "they came faster than they could be written"},
  };
  for (const auto& [name, words] : kWords)
    if (name == reason) return std::string(words);
  return reason;
}

}  // namespace

std::vector<Loss> losses(const Profile& profile) {
  std::vector<Loss> result;
  for (const LostWhat what : {LostWhat::kSamples, LostWhat::kCallers, LostWhat::kEvents, LostWhat::kCallEvents}) {
    Loss loss;
    loss.what = what;
    for (const log::Lost& lost : profile.lost) {
      if (lost.count == 0 || what_of(lost.reason) != what) continue;
      loss.count += lost.count;
      loss.reasons.push_back({lost.count, words_of(lost.reason)});
    }
    if (loss.count == 0) continue;
    const bool of_samples = what == LostWhat::kSamples || what == LostWhat::kCallers;
    if (of_samples && profile.unit == Unit::kPeriods)
      loss.of = profile.unfiltered_periods + (what == LostWhat::kSamples ? loss.count : 0);
    result.push_back(std::move(loss));
  }
  return result;
}

uint64_t lost_samples(const Profile& profile) {
  uint64_t count = 0;
  for (const log::Lost& lost : profile.lost)
    if (what_of(lost.reason) == LostWhat::kSamples) count += lost.count;
  return count;
}

}  // namespace oriel::profile
