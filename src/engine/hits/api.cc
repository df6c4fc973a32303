// The public functions of coverage.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <tuple>

#include "engine/engine_thread.h"
#include "engine/filters.h"
#include "engine/hits/covered_table.h"
#include "engine/hits/runtime_counts.h"
#include "engine/or_else.h"
#include "engine/profilers.h"

namespace oriel::hits {
namespace {

constinit std::atomic<bool> enabled{false};

// Counts imply hits: a profiler that wants hits sees counts if another one wants those.
bool enable(oriel_profiler_handle handle, oriel_coverage_mode mode) {
  if (!handle || (mode != ORIEL_COVERAGE_HIT && mode != ORIEL_COVERAGE_COUNT)) return false;
  {
    Table& all = table();
    const std::lock_guard guard(all.lock);
    if (mode == ORIEL_COVERAGE_COUNT && !all.counting) {
      if (!all.methods.empty() || !all.counts.begin()) return false;
      all.counting = true;
      if (all.file.exists()) all.file.header().counts = 1;
    }
    all.hits.add(handle);
    all.counts.add(handle);
  }
  enabled.store(true, std::memory_order_release);
  filters_changed();
  return true;
}

Status set_file(oriel_profiler_handle handle, const char* path) {
  Table& all = table();
  const std::lock_guard guard(all.lock);
  if (!handle) return Status::error("there is no profiler");
  if (!path) {
    all.file.let_go();
    return Status::ok();
  }
  if (all.file.exists()) return Status::error("another profiler has named one");
  if (!all.methods.empty()) return Status::error("methods have counters already; name it before managed code runs");
  if (Status status = all.file.create(path, all.counting); !status) return status;
  all.hits.add(handle);
  all.counts.add(handle);
  all.hits.set_owner(handle);
  all.counts.set_owner(handle);
  return Status::ok();
}

CountedMethod* find(const Table& all, oriel_method* method, uint64_t place) {
  const auto of_record = all.by_record.find(method);
  if (of_record != all.by_record.end()) return of_record->second;
  const auto of_place = all.by_place.find(place);
  return of_place == all.by_place.end() ? nullptr : of_place->second;
}

enum class Which { kAll, kThoseThatRan };

bool has_ended(const Table& all, oriel_profiler_handle handle) {
  return std::ranges::find(all.ending, handle) != all.ending.end();
}

// The value of a counter for the profiler, or its value in the period that the profiler ended.
uint64_t count_of(const Table& all, oriel_profiler_handle handle, uint64_t counter, bool ended) {
  if (!all.counting)
    return (ended ? all.hits.ran_in_ended_period(handle, counter) : all.hits.ran(handle, counter)) ? 1 : 0;
  const auto count = [&](uint64_t at) {
    return ended ? all.counts.count_in_ended_period(handle, at) : all.counts.count(handle, at);
  };
  const auto sum = all.sums.find(counter);
  if (sum == all.sums.end()) return count(counter);
  uint64_t added = 0;
  for (const uint64_t term : sum->second) added += count(term);
  return added;
}

// Whether anything of the method ran in the period that the profiler ended.
bool any_ran_in_ended_period(const Table& all, oriel_profiler_handle handle, const CountedMethod& method) {
  return all.counting ? all.counts.any_had_count(handle, method.first, method.counters)
                      : all.hits.any_ran_in_ended_period(handle, method.first, method.counters);
}

// `ended`: from the period that the profiler ended.
void add_data(const Table& all, oriel_profiler_handle handle, bool ended, oriel_method* method,
              const CountedMethod& covered, Which which, std::vector<oriel_coverage_data>& data) {
  for (const il::CoveragePoint& point : covered.places.points) {
    const uint64_t count = count_of(all, handle, covered.first + point.counter, ended);
    if (count == 0 && which == Which::kThoseThatRan) continue;
    const bool is_outcome = point.kind == il::CoveragePoint::Kind::kOutcome;
    data.push_back({method, point.il, is_outcome ? point.outcome : ORIEL_NO_OUTCOME, count});
  }
}

// By ascending offset, as each of the method's parts is already.
void merge_parts(std::vector<oriel_coverage_data>& data) {
  std::ranges::stable_sort(data, {}, [](const oriel_coverage_data& it) {
    return std::tuple(it.il_offset, it.outcome != ORIEL_NO_OUTCOME, it.outcome);
  });
}

// Empty if it has no counters.
std::vector<oriel_coverage_data> data_of(oriel_profiler_handle handle, oriel_method* method) {
  collect_runtime_counts(method);
  std::vector<oriel_coverage_data> data;
  const oriel_image* const image = oriel_method_image(method);
  const uint64_t place = image ? token_key(*image, oriel_method_token(method)) : 0;
  const Table& all = table();
  const std::lock_guard guard(table().lock);
  const CountedMethod* const covered = find(all, method, place);
  for (const CountedMethod* part = covered; part != nullptr; part = part->more)
    add_data(all, handle, has_ended(all, handle), method, *part, Which::kAll, data);
  if (covered != nullptr && covered->more != nullptr) merge_parts(data);
  return data;
}

std::vector<oriel_coverage_data> data_of_all_that_ran(oriel_profiler_handle handle) {
  collect_runtime_counts(nullptr);
  std::vector<oriel_coverage_data> data;
  const Table& all = table();
  const std::lock_guard guard(table().lock);
  const bool ended = has_ended(all, handle);
  for (const auto& covered : all.methods) {
    if (ended && !any_ran_in_ended_period(all, handle, *covered)) continue;
    add_data(all, handle, ended, covered->method, *covered, Which::kThoseThatRan, data);
  }
  return data;
}

bool get_data(oriel_profiler_handle handle, oriel_method* method, oriel_coverage_cb callback) {
  if (!handle) return false;
  const std::vector<oriel_coverage_data> data = method ? data_of(handle, method) : data_of_all_that_ran(handle);
  for (const oriel_coverage_data& point : data)
    if (callback) callback(handle->profiler, &point);
  return !data.empty();
}

bool reset_period(oriel_profiler_handle handle, oriel_coverage_ended_cb ended) {
  Table& all = table();
  collect_runtime_counts(nullptr);
  {
    const std::lock_guard guard(all.lock);
    if (!handle || has_ended(all, handle)) return false;
    all.ending.push_back(handle);
    if (!(all.counting ? all.counts.end_period(handle) : all.hits.end_period(handle))) {
      all.ending.pop_back();
      return false;
    }
  }
  engine_thread::wake();  // methods without probes get them back
  if (ended) attempt([&] { ended(handle->profiler); });
  const std::lock_guard guard(all.lock);
  std::erase(all.ending, handle);
  all.counting ? all.counts.forget_ended(handle) : all.hits.forget_ended(handle);
  return true;
}

}  // namespace

bool is_enabled() { return enabled.load(std::memory_order_acquire); }

}  // namespace oriel::hits

bool oriel_enable_coverage(oriel_profiler_handle handle, oriel_coverage_mode mode) {
  return oriel::or_else(false, [&] { return oriel::hits::enable(handle, mode); });
}

int oriel_set_coverage_file(oriel_profiler_handle handle, const char* path, char* message, size_t size) {
  return oriel::or_else(1, [&] {
    const oriel::Status status = oriel::hits::set_file(handle, path);
    if (message && size > 0) std::snprintf(message, size, "%s", status ? "" : status.message().c_str());
    return status ? 0 : 1;
  });
}

bool oriel_get_coverage_data(oriel_profiler_handle handle, oriel_method* method, oriel_coverage_cb callback) {
  return oriel::or_else(false, [&] { return oriel::hits::get_data(handle, method, callback); });
}

bool oriel_coverage_reset(oriel_profiler_handle handle, oriel_coverage_ended_cb ended) {
  return oriel::or_else(false, [&] { return oriel::hits::reset_period(handle, ended); });
}
