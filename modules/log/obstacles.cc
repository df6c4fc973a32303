#include "obstacles.h"

#include <string>
#include <string_view>

#include "modules/module.h"

namespace oriel::log_module {
namespace {

// Behind these stands what a module's author can do instead.
constexpr std::string_view kForAuthors[] = {": listen to ", "; a module "};

std::string for_users(std::string_view sentence) {
  for (const std::string_view begin : kForAuthors) sentence = sentence.substr(0, sentence.find(begin));
  return std::string(sentence);
}

struct Request {
  bool is_made;
  const char* option;
  uint32_t event;  // without which it is in vain
};

}  // namespace

void tell_obstacles(const Options& options) {
  const Request requests[] = {
      {options.async.has_value(), "--async", oriel_event_async_resume},
      {!options.meters.empty(), "--counters", oriel_event_counter_value},
      {!options.activities.empty(), "--activities", oriel_event_activity_stopped},
      {options.gc_phases, "--gc-phases", oriel_event_gc_phases},
      {options.allocations.has_value(), "--alloc", oriel_event_gc_allocation},
      {options.allocations_sampled, "--alloc=sampled", oriel_event_gc_allocation_sampled},
      {options.heap_when.growth_percent != 0, "--heap=on-growth", oriel_event_gc_heap},
  };
  for (const Request& request : requests) {
    const char* const why = request.is_made ? oriel_event_obstacle(request.event) : nullptr;
    if (why) modules::tell(std::string("log: ") + request.option + " gives nothing: " + for_users(why));
  }
}

}  // namespace oriel::log_module
