#include "engine/coverage/covered.h"

#include <algorithm>

#include "engine/coverage/covered_table.h"
#include "engine/coverage/hit_methods.h"
#include "engine/engine.h"

namespace oriel::coverage {
namespace {

constinit std::atomic<uint32_t> without_probes{0};
constinit std::atomic<uint32_t> with_probes{0};
constinit std::atomic<bool> said_no_memory{false};

using coverage_file::put;
using coverage_file::Record;

// Whose version was asked for.
std::string record_of(const oriel_image& image) {
  std::string record(1, static_cast<char>(Record::kImage));
  put(record, uint64_t{image.id});
  const std::string* const mvid = image.mvid.load(std::memory_order_acquire);
  const std::string_view texts[] = {image.name, image.path, mvid ? std::string_view(*mvid) : std::string_view(),
                                    image.pdb_id, image.pdb_path};
  for (const std::string_view text : texts) put(record, text);
  return record;
}

std::string record_of(const CoveredMethod& covered, const oriel_image& image, uint32_t token) {
  std::string record(1, static_cast<char>(Record::kMethod));
  put(record, uint64_t{image.id});
  put(record, uint64_t{token & 0xffffff});
  put(record, std::string_view(image.path.empty() ? covered.method->name : std::string()));
  put(record, covered.first);
  put(record, uint64_t{covered.points.size()});
  for (const il::CoveragePoint& point : covered.points) {
    const bool is_outcome = point.kind == il::CoveragePoint::Kind::kOutcome;
    put(record, uint64_t{point.il} << 2 | (is_outcome ? 2u : 0u) | 1);
    if (is_outcome) put(record, uint64_t{point.outcome});
    put(record, uint64_t{point.counter});
  }
  return record;
}

void write_records(Table& all, const CoveredMethod& covered, const oriel_image& image, uint32_t token) {
  if (!all.file.exists()) return;
  if (std::ranges::find(all.images, &image) == all.images.end()) {
    all.file.append(record_of(image));
    all.images.push_back(&image);
  }
  all.file.append(record_of(covered, image, token));
}

}  // namespace

Table& table() {
  static auto* const made = new Table;
  return *made;
}

std::optional<CountersOfMethod> counters_for(oriel_method& method, oriel_image& image, uint32_t token,
                                             const std::vector<il::CoveragePoint>& points, bool small) {
  ensure_described(image);
  oriel_image_mvid(&image);
  if (image.path.empty()) ensure_described(method);
  Table& all = table();
  const std::lock_guard guard(all.lock);
  CoveredMethod*& known = all.by_place[Table::place_of(image, token)];
  if (known != nullptr) {
    if (known->points != points) return std::nullopt;
    return CountersOfMethod{reinterpret_cast<uintptr_t>(known->hits)};
  }
  auto made = std::make_unique<CoveredMethod>();
  made->method = &method;
  made->points = points;
  made->counters = il::counters_of(points);
  made->keeps_probes = small;
  made->hits = all.hits.take(made->counters, made->first);
  if (made->hits == nullptr) {
    if (!said_no_memory.exchange(true)) warn("coverage: out of memory; of some methods nothing is counted");
    return std::nullopt;
  }
  known = made.get();
  all.by_record[&method] = known;
  all.methods.push_back(std::move(made));
  write_records(all, *known, image, token);
  if (!small) with_probes.fetch_add(1, std::memory_order_relaxed);
  return CountersOfMethod{reinterpret_cast<uintptr_t>(known->hits)};
}

bool needs_no_probes(const oriel_method* method) {
  if (without_probes.load(std::memory_order_acquire) == 0) return false;
  Table& all = table();
  const std::lock_guard guard(all.lock);
  const auto found = all.by_record.find(method);
  return found != all.by_record.end() && found->second->without_probes.load(std::memory_order_relaxed);
}

bool looks_for_hit_methods() {
  return with_probes.load(std::memory_order_relaxed) > without_probes.load(std::memory_order_relaxed);
}

std::vector<oriel_method*> newly_hit_methods() {
  std::vector<oriel_method*> found;
  Table& all = table();
  const std::lock_guard guard(all.lock);
  if (all.hits.was_reset()) return found;  // what is hit may be asked about anew
  for (const auto& covered : all.methods) {
    if (covered->keeps_probes || covered->without_probes.load(std::memory_order_relaxed)) continue;
    if (!HitCounters::all_hit(covered->hits, covered->counters)) continue;
    covered->without_probes.store(true, std::memory_order_relaxed);
    found.push_back(covered->method);
  }
  without_probes.fetch_add(static_cast<uint32_t>(found.size()), std::memory_order_release);
  return found;
}

std::vector<oriel_method*> methods_to_probe_again() {
  std::vector<oriel_method*> found;
  if (without_probes.load(std::memory_order_acquire) == 0) return found;
  Table& all = table();
  const std::lock_guard guard(all.lock);
  if (!all.hits.was_reset()) return found;
  for (const auto& covered : all.methods)
    if (covered->without_probes.exchange(false)) found.push_back(covered->method);
  without_probes.store(0, std::memory_order_release);
  return found;
}

}  // namespace oriel::coverage
