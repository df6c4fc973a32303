#include "engine/hits/covered.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/process/own_program.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/hits/covered_table.h"
#include "engine/hits/hit_methods.h"

namespace oriel::hits {
namespace {

constinit std::atomic<bool> any_thinned{false};
constinit std::atomic<bool> any_to_look_at{false};
constinit std::atomic<bool> said_no_memory{false};

using coverage_file::put;
using coverage_file::Record;

// The MVID must have been queried. An image without a file may be inside the program's file, so readers look there.
std::string record_of(const oriel_image& image) {
  std::string record(1, static_cast<char>(Record::kImage));
  put(record, uint64_t{image.id});
  const std::string* const mvid = image.mvid.load(std::memory_order_acquire);
  const std::string path = image.path.empty() ? own_program() : image.path;
  const std::string_view texts[] = {image.name, path, mvid ? std::string_view(*mvid) : std::string_view(), image.pdb_id,
                                    image.pdb_path};
  for (const std::string_view text : texts) put(record, text);
  return record;
}

std::string record_of(const CountedMethod& covered, const oriel_image& image, uint32_t token) {
  std::string record(1, static_cast<char>(Record::kMethod));
  put(record, uint64_t{image.id});
  put(record, uint64_t{token & 0xffffff});
  put(record, std::string_view(image.path.empty() ? covered.method->name : std::string()));
  put(record, covered.first);
  put(record, uint64_t{covered.places.points.size()});
  for (const il::CoveragePoint& point : covered.places.points) {
    const bool is_outcome = point.kind == il::CoveragePoint::Kind::kOutcome;
    put(record, uint64_t{point.il} << 2 | (is_outcome ? 2u : 0u) | 1);
    if (is_outcome) put(record, uint64_t{point.outcome});
    put(record, uint64_t{point.counter});
  }
  return record;
}

std::string record_of(const CountedMethod& covered, const il::CounterSum& sum) {
  std::string record(1, static_cast<char>(Record::kSum));
  put(record, covered.first + sum.counter);
  put(record, uint64_t{sum.of.size()});
  for (const uint32_t term : sum.of) put(record, covered.first + term);
  return record;
}

bool take_counters(Table& all, CountedMethod& method) {
  if (!all.counting) return (method.hits = all.hits.take(method.counters, method.first)) != nullptr;
  const std::optional<int32_t> place = all.counts.take(method.counters, method.first);
  method.in_region = place.value_or(0);
  return place.has_value();
}

// For counts, counters that are sums need no probe. For hits, each counter has one in the first body, from which later
// tiers are compiled too.
CountersOfMethod of_code(const CountedMethod& method, uint8_t number) {
  if (method.hits == nullptr)
    return {0, reinterpret_cast<uintptr_t>(counters_of_thread), method.in_region, method.told};
  return {reinterpret_cast<uintptr_t>(method.hits), 0, 0, number > 1 ? method.told : std::vector<bool>()};
}

// Compilation costs time, so the interval doubles each time.
bool needs_fewer_probes(CountedMethod& method, uint32_t look) {
  constexpr uint8_t kMostCompiled = 6;
  if (method.number == 0 || look < method.next_look || method.compiled == kMostCompiled) return false;
  std::vector<bool> told(method.counters);
  for (uint32_t i = 0; i < method.counters; ++i) told[i] = HitCounters::all_hit(method.hits + i, 1);
  const auto count = [](const std::vector<bool>& set) { return std::ranges::count(set, true); };
  if (count(told) == count(method.told)) return false;
  const bool all_told = std::ranges::find(told, false) == told.end();
  if (method.places.inlined.may_be && !(all_told && method.places.inlined.may_change)) return false;
  method.next_look = look + (2u << method.compiled++);
  method.number = all_told ? 0 : static_cast<uint8_t>(method.compiled + 1);
  method.told = std::move(told);
  return true;
}

void write_records(Table& all, const CountedMethod& covered, const oriel_image& image, uint32_t token) {
  if (!all.file.exists()) return;
  if (std::ranges::find(all.images, &image) == all.images.end()) {
    all.file.append(record_of(image));
    all.images.push_back(&image);
  }
  all.file.append(record_of(covered, image, token));
  for (const il::CounterSum& sum : covered.places.sums)
    if (all.counting) all.file.append(record_of(covered, sum));
}

void add_sums(Table& all, CountedMethod& method) {
  method.told.resize(method.counters);
  for (const il::CounterSum& sum : method.places.sums) {
    method.told[sum.counter] = true;
    std::vector<uint64_t>& terms = all.sums[method.first + sum.counter];
    for (const uint32_t term : sum.of) terms.push_back(method.first + term);
  }
}

}  // namespace

Table& table() {
  static auto* const made = new Table;
  return *made;
}

CountedMethod* add_method(Table& all, oriel_method& method, const oriel_image& image, uint32_t token,
                          const Places& places) {
  auto made = std::make_unique<CountedMethod>();
  made->method = &method;
  made->places = places;
  made->counters = il::counters_of(places.points);
  if (!take_counters(all, *made)) {
    if (!said_no_memory.exchange(true)) warn("coverage: out of memory; some methods are not counted");
    return nullptr;
  }
  if (all.counting) add_sums(all, *made);
  write_records(all, *made, image, token);
  all.methods.push_back(std::move(made));
  return all.methods.back().get();
}

std::optional<CountersOfMethod> counters_for(oriel_method& method, oriel_image& image, uint32_t token,
                                             const Places& places, uint8_t number) {
  ensure_described(image);
  oriel_image_mvid(&image);
  if (image.path.empty()) ensure_described(method);
  Table& all = table();
  const std::lock_guard guard(all.lock);
  CountedMethod*& known = all.by_place[token_key(image, token)];
  if (known != nullptr) {
    if (known->places.points != places.points) return std::nullopt;
    return of_code(*known, number);
  }
  known = add_method(all, method, image, token, places);
  if (known == nullptr) return std::nullopt;
  all.by_record[&method] = known;
  // Makes the engine's thread start looking.
  const Inlined inlined = places.inlined;
  if ((!inlined.may_be || inlined.may_change) && !all.counting && !any_to_look_at.exchange(true)) engine_thread::wake();
  return of_code(*known, number);
}

uint8_t number_of_probes(const oriel_method* method) {
  if (!any_thinned.load(std::memory_order_acquire)) return 1;
  Table& all = table();
  const std::lock_guard guard(all.lock);
  const auto found = all.by_record.find(method);
  return found == all.by_record.end() ? 1 : found->second->number;
}

bool may_have_hit_methods() { return any_to_look_at.load(std::memory_order_relaxed); }

FewerProbes methods_needing_fewer_probes() {
  FewerProbes found;
  Table& all = table();
  const std::lock_guard guard(all.lock);
  if (all.counting || all.hits.was_reset()) return found;  // after a reset, hits may be asked about again
  ++all.looks;
  for (const auto& covered : all.methods) {
    if (!needs_fewer_probes(*covered, all.looks)) continue;
    (covered->places.inlined.may_be ? found.clear : found.compile_anew).push_back(covered->method);
    any_thinned.store(true, std::memory_order_release);
  }
  return found;
}

std::vector<oriel_method*> methods_to_restore() {
  std::vector<oriel_method*> found;
  if (!any_thinned.load(std::memory_order_acquire)) return found;
  Table& all = table();
  const std::lock_guard guard(all.lock);
  if (!all.hits.was_reset()) return found;
  for (const auto& covered : all.methods)
    if (std::exchange(covered->number, uint8_t{1}) != 1) found.push_back(covered->method);
  any_thinned.store(false, std::memory_order_release);
  return found;
}

}  // namespace oriel::hits
