#include "chosen_probes.h"

#include <memory>
#include <optional>
#include <utility>

#include "ears.h"

namespace oriel::log_module {
namespace {

std::string text_of(const std::optional<MethodPatterns>& patterns) { return patterns ? "=" + patterns->text() : ""; }

std::unique_ptr<modules::MethodFilter> filter_of(std::optional<MethodPatterns>& patterns, bool with_trivial) {
  using modules::MethodFilter;
  if (!patterns) return nullptr;
  const auto trivial = with_trivial ? MethodFilter::Trivial::kIn : MethodFilter::Trivial::kLeftOut;
  return std::make_unique<MethodFilter>(std::move(*patterns), trivial);
}

}  // namespace

void ChosenProbes::choose(Options& options) {
  Recorder& recorder = ears().recorder();
  if (oriel_event_obstacle(oriel_event_async_resume)) options.async.reset();  // nothing would come of its probes
  std::string calls = text_of(options.calls), async = text_of(options.async),
              allocations = text_of(options.allocations);
  if (calls != calls_ || options.trivial_calls != trivial_)
    recorder.calls.choose(filter_of(options.calls, options.trivial_calls));
  if (async != async_) recorder.async.choose(filter_of(options.async, true));
  if (allocations != allocations_) recorder.allocations.choose(filter_of(options.allocations, true));
  if (options.allocations_followed != followed_) recorder.followed.choose(options.allocations_followed);
  followed_ = options.allocations_followed;
  calls_ = std::move(calls);
  async_ = std::move(async);
  allocations_ = std::move(allocations);
  trivial_ = options.trivial_calls;
  allocations_chosen_ = options.allocations_chosen;
  recorder.call_probes = ORIEL_CALLS_ALL | (options.block_inlining ? uint32_t{ORIEL_CALLS_BLOCK_INLINING} : 0u);
}

void ChosenProbes::say_complaints(bool any_call) const {
  const Recorder& recorder = ears().recorder();
  const auto calls = recorder.calls.filter(), async = recorder.async.filter(),
             allocations = recorder.allocations.filter();
  if (!calls && !async && !allocations) return;
  if (!oriel_instrumentation_possible()) {
    oriel_warn("log: calls, awaits and allocations cannot be logged in this process: its code cannot be changed");
    return;
  }
  const auto say = [](const modules::MethodFilter& filter, const char* option, bool any) {
    for (const std::string& complaint : filter.complaints(option, any)) oriel_warn(complaint.c_str());
  };
  if (calls) say(*calls, "--calls", any_call);
  if (async) say(*async, "--async", true);
  if (allocations && allocations_chosen_) say(*allocations, "--alloc-in", true);
}

void ChosenProbes::clear() {
  Recorder& recorder = ears().recorder();
  for (modules::ChosenMethods* methods : {&recorder.calls, &recorder.async, &recorder.allocations})
    methods->choose(nullptr);
  recorder.followed.choose("");
}

}  // namespace oriel::log_module
