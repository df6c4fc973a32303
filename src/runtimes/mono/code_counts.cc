#include "runtimes/mono/code_counts.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/monotonic_mutex.h"
#include "base/process/kept_errno.h"
#include "engine/filters.h"
#include "engine/hits/runtime_counts.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/generic_arguments.h"
#include "runtimes/mono/image_metadata.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kAnyLength = UINT32_MAX;

struct BlockCount {
  uint32_t il = 0;
  uint32_t times = 0;  // wraps around
};

struct CountedMethod {
  MonoMethod* id = nullptr;
  oriel_method* record = nullptr;
  std::vector<MonoImage*> images;  // its own, and those that an instance is made of
  std::vector<BlockCount> before;  // at the last look, by `il`
};

using Counted = std::shared_ptr<CountedMethod>;

struct Chosen {
  std::mutex lock;  // guards the rest; not held while Mono or a module is called
  uint32_t filter_generation = 0;
  std::unordered_map<MonoMethod*, bool> answers;  // of that generation
  std::unordered_map<MonoMethod*, Counted> methods;
  std::unordered_multimap<uint64_t, Counted> by_place;  // by token_key: all instantiations
};

// Never destroyed.
Chosen& chosen() {
  static auto* const made = new Chosen;
  return *made;
}

// One thread looks at a time. Mono's callbacks about unloads and compilations come while it holds locks that a look may
// wait for, so they do not wait for ever.
constexpr std::chrono::seconds kLongestWait{1};
MonotonicMutex& looking() {
  static auto* const made = new MonotonicMutex;
  return *made;
}

// Mono ends the program if it is asked about a method whose code it cannot find in an image.
bool has_known_code(MonoMethod* method) {
  MonoImage* const image = api.mono_class_get_image(api.mono_method_get_class(method));
  return has_metadata(image) && !method_body(image, api.mono_method_get_token(method), kAnyLength).empty();
}

bool ask(oriel_method* record) { return ask_filters(record, record->image).coverage != 0; }

// What Mono tells the calling thread of one method.
thread_local std::vector<BlockCount>* told = nullptr;

void take(MonoProfiler*, const CoverageData* data) {
  try {
    told->push_back({data->il_offset, data->counter});
  } catch (...) {  // no memory: the next look may have it
  }
}

std::vector<BlockCount> counts_now(MonoMethod* method) {
  std::vector<BlockCount> counts;
  told = &counts;
  api.mono_profiler_get_coverage_data(profiler_handle(), method, take);
  told = nullptr;
  std::ranges::sort(counts, {}, &BlockCount::il);
  return counts;
}

uint64_t place_of(const oriel_method& record) { return token_key(*record.image, record.token); }

// Mono keeps counts by the method's address, and so those of one that it has freed since.
Counted new_method(MonoMethod* method, oriel_method* record) {
  auto made = std::make_shared<CountedMethod>(CountedMethod{method, record, images_behind(method), {}});
  made->images.push_back(id_of<MonoImage>(*record->image));
  if (frees_so_far() != 0) made->before = counts_now(method);
  return made;
}

// Mono asks several times for one method.
bool is_chosen(MonoMethod* method) {
  if (api.mono_method_get_token(method) == 0) return false;
  Chosen& all = chosen();
  const uint32_t generation = filter_generation();
  {
    const std::lock_guard guard(all.lock);
    if (std::exchange(all.filter_generation, generation) != generation) all.answers.clear();
    if (const auto known = all.answers.find(method); known != all.answers.end()) return known->second;
  }
  oriel_method* const record = record_of(method);
  const bool wanted = record->image && has_known_code(method) && ask(record);
  Counted counted = wanted ? new_method(method, record) : nullptr;
  const std::lock_guard guard(all.lock);
  if (all.filter_generation == generation) all.answers[method] = wanted;
  if (wanted && all.methods.try_emplace(method, counted).second) all.by_place.emplace(place_of(*record), counted);
  return wanted;
}

uint32_t times_at(const std::vector<BlockCount>& counts, uint32_t il) {
  const auto found = std::ranges::lower_bound(counts, il, {}, &BlockCount::il);
  return found != counts.end() && found->il == il ? found->times : 0;
}

// Of methods that were not compiled Mono tells zeros, for places that may be no blocks.
bool any_ran(const std::vector<BlockCount>& counts) {
  return std::ranges::any_of(counts, [](const BlockCount& it) { return it.times != 0; });
}

// A look may come as Mono has begun to count anew, and has not yet told that the code is compiled. Nothing runs two
// billion times between two looks.
bool has_begun_anew(const std::vector<BlockCount>& before, const std::vector<BlockCount>& now) {
  return std::ranges::any_of(
      before, [&](const BlockCount& it) { return static_cast<int32_t>(times_at(now, it.il) - it.times) < 0; });
}

void look_at(CountedMethod& method) {
  std::vector<BlockCount> now = counts_now(method.id);
  if (!any_ran(now)) return;
  if (has_begun_anew(method.before, now)) method.before.clear();
  std::vector<hits::RunsAt> runs;
  for (const BlockCount& it : now) runs.push_back({it.il, it.times - times_at(method.before, it.il)});
  hits::add_runs(*method.record, *method.record->image, method.record->token, runs);
  method.before = std::move(now);
}

template <typename Matches>
std::vector<Counted> methods_that(Matches matches) {
  std::vector<Counted> found;
  Chosen& all = chosen();
  const std::lock_guard guard(all.lock);
  for (const auto& [id, method] : all.methods)
    if (matches(*method)) found.push_back(method);
  return found;
}

Counted find(MonoMethod* id) {
  Chosen& all = chosen();
  const std::lock_guard guard(all.lock);
  const auto found = all.methods.find(id);
  return found == all.methods.end() ? nullptr : found->second;
}

void forget(const Counted& method) {
  Chosen& all = chosen();
  const std::lock_guard guard(all.lock);
  all.methods.erase(method->id);
  std::erase_if(all.by_place, [&](const auto& it) { return it.second == method; });
}

std::vector<Counted> methods_at(const oriel_method& method) {
  std::vector<Counted> found;
  Chosen& all = chosen();
  const std::lock_guard guard(all.lock);
  const auto [begin, end] = all.by_place.equal_range(place_of(method));
  for (auto it = begin; it != end; ++it) found.push_back(it->second);
  return found;
}

// Mono uses addresses again, also of methods that nobody chose.
void forget_answers() {
  Chosen& all = chosen();
  const std::lock_guard guard(all.lock);
  all.answers.clear();
}

}  // namespace

Bool choose_coverage(MonoProfiler*, MonoMethod* method) {
  bool wanted = false;
  guarded([&] { wanted = is_chosen(method); });
  return wanted ? 1 : 0;
}

// What is compiled may be shared by several instantiations.
void collect_before_compilation(const oriel_method& method) {
  if (told || !method.image) return;
  for (const Counted& it : methods_at(method)) {
    const std::unique_lock look(looking(), kLongestWait);
    if (look) look_at(*it);
  }
}

void counts_begin(MonoMethod* method) {
  const Counted known = find(method);
  if (!known || told) return;
  const std::unique_lock look(looking(), kLongestWait);
  if (look) known->before.clear();
}

// A thread that Mono ends the program on may be in a look already.
void collect_counts(const oriel_method* method) {
  if (told || (method && !method->image)) return;
  for (const Counted& it : method ? methods_at(*method) : methods_that([](const CountedMethod&) { return true; })) {
    const std::unique_lock look(looking(), kLongestWait);
    if (!look) return;
    const Asking asking;
    if (!may_ask()) return;
    if (find(it->id) == it) look_at(*it);
  }
}

void collect_last_counts(MonoImage* image) {
  forget_answers();
  const auto leaving = methods_that(
      [&](const CountedMethod& method) { return std::ranges::find(method.images, image) != method.images.end(); });
  if (leaving.empty() || told) return;
  std::unique_lock look(looking(), kLongestWait);
  for (const Counted& it : leaving) {
    if (look) look_at(*it);
    forget(it);
  }
}

}  // namespace oriel::mono
