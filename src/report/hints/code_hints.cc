#include "report/hints/code_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "assembly/pins.h"
#include "assembly/shared_elements.h"
#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/waiting/parallel_loops.h"
#include "profile/work/category.h"
#include "report/words/more.h"
#include "report/words/own_code.h"
#include "report/words/shown_place.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

// "Shop.Buffers.Send (Program.cs:122)" for an instruction of own code.
std::string code_text(const assembly::Assembly& code, uint32_t image, assembly::CodePlace at, const Profile& profile) {
  const std::string name = clean(method_of(code, assembly::method_token(at.method)).text());
  const ShownLine line = ShownPlaces(profile, Options()).line_of({image, at.method, at.il});
  return line.text.empty() ? name : name + " (" + line.text + ")";
}

// Samples by own method.
using Methods = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;  // by image and row
// `own`: by node, the nearest own one (nearest_own_nodes). With `itself`, only samples in the methods' own code.
Methods sampled_methods(const Profile& profile, const std::vector<uint32_t>& own, bool itself) {
  const std::vector<uint64_t>& periods = profile.samples.by_node();
  Methods methods;
  for (size_t node = 0; node < periods.size(); ++node) {
    const profile::Position& at = profile.places.positions[profile.nodes[own[node]].position];
    const bool counts = itself ? own[node] == node : own[node] != 0;
    if (periods[node] != 0 && counts && at.row != 0) methods[{at.image, at.row}] += periods[node];
  }
  return methods;
}

// Among the places that pin, the one whose method has most samples.
std::string pinned_in(const Profile& profile) {
  const Methods methods = sampled_methods(profile, profile::nearest_own_nodes(profile.nodes, profile), false);
  std::string most;
  uint64_t most_periods = 0;
  for (const uint32_t image : own_images(profile)) {
    const std::optional<assembly::Assembly> code = code_of_image(profile, image);
    if (!code) continue;
    for (const assembly::CodePlace at : assembly::pins(*code)) {
      const auto sampled = methods.find({image, at.method});
      const uint64_t periods = sampled == methods.end() ? 0 : sampled->second;
      if (!most.empty() && periods <= most_periods) continue;
      most = code_text(*code, image, at, profile);
      most_periods = periods;
    }
  }
  return most;
}

// Objects that were pinned during collections.
std::optional<Hint> pinned_hint(const Profile& profile) {
  constexpr uint32_t kMany = 1000;
  constexpr double kOfWall = 0.1;
  uint32_t pinned = 0;
  for (const profile::Collection& one : profile.collections)
    if (one.detail && one.detail->has_heap_counts) pinned = std::max(pinned, one.detail->pinned_objects);
  const int64_t paused = profile::gc_totals(profile).pause_ns;
  const int64_t wall_ns = profile::kept_ns(profile);
  if (pinned < kMany || !is_significant_time(paused, profile) ||
      static_cast<double>(paused) < kOfWall * static_cast<double>(wall_ns))
    return std::nullopt;
  const std::string in = pinned_in(profile);
  return Hint{
      "pinned", 0,
      fmt::format("Collections took {} of {} and found up to {} pinned objects, which cannot be moved and "
                  "fragment the heap{}. Pin few objects, and briefly. Allocate long-lived ones once, on the "
                  "pinned object heap: GC.AllocateArray(…, pinned: true).",
                  duration(paused), duration(wall_ns), count(pinned), in.empty() ? "" : "; code that pins: " + in),
      "oriel report gc"};
}

// The own method with most samples in its own code: its nodes, and its samples.
struct HotMethod {
  std::pair<uint32_t, uint32_t> method;  // image and row
  std::vector<bool> nodes;
  uint64_t periods = 0;
};
HotMethod hottest_method(const Profile& profile) {
  const std::vector<uint32_t> own = profile::nearest_own_nodes(profile.nodes, profile);
  const Methods methods = sampled_methods(profile, own, true);
  const auto most = std::ranges::max_element(methods, {}, [](const auto& entry) { return entry.second; });
  if (most == methods.end()) return {};
  HotMethod hot{most->first, std::vector<bool>(profile.nodes.size()), most->second};
  for (size_t node = 0; node < hot.nodes.size(); ++node) {
    const profile::Position& at = profile.places.positions[profile.nodes[node].position];
    hot.nodes[node] = own[node] == node && std::pair{at.image, at.row} == hot.method;
  }
  return hot;
}

// Whether it also runs below a parallel loop, whose threads take turns at many elements.
bool is_in_loop(const HotMethod& hot, const Profile& profile) {
  const std::vector<bool> below = profile::nodes_below(profile::is_parallel_loop, profile);
  for (size_t i = 1; i < below.size(); ++i)
    if (below[i] && hot.nodes[i]) return true;
  return false;
}

// Possible false sharing: threads that write to elements of one array. Only a suspicion, because no hardware counters
// are read.
std::optional<Hint> sharing_hint(const Profile& profile) {
  constexpr double kOfSamples = 0.3, kOfThread = 0.1;
  const HotMethod hot = hottest_method(profile);
  const auto whole = static_cast<double>(profile::program_periods(profile));
  if (hot.periods == 0 || static_cast<double>(hot.periods) < kOfSamples * whole || is_in_loop(hot, profile))
    return std::nullopt;
  const auto [image, row] = hot.method;
  std::vector<uint64_t> by_thread(profile.threads.size());
  for (const profile::Sample& sample : profile.samples)
    if (hot.nodes[sample.node]) by_thread[sample.thread] += sample.periods;
  const auto busy = std::ranges::count_if(
      by_thread, [&](uint64_t periods) { return static_cast<double>(periods) >= kOfThread * whole; });
  if (busy < 2) return std::nullopt;
  const std::optional<assembly::Assembly> code = code_of_image(profile, image);
  if (!code) return std::nullopt;
  const std::optional<assembly::ElementWrite> write = assembly::element_written_in_loop(*code, row);
  if (!write) return std::nullopt;
  return Hint{
      "false-sharing", 0,
      fmt::format("{} ({}) is {} threads that each keep writing one element of {}, in {}. This may be false sharing: "
                  "adjacent elements share a 64-byte cache line, which moves between the cores at each write. (No "
                  "hardware counter confirms it.) Use a local variable, or keep what threads write 64 bytes apart.",
                  percent(hot.periods, profile::program_periods(profile)), time_of(hot.periods, profile), busy,
                  clean(write->array), code_text(*code, image, {row, write->il}, profile)),
      "oriel report threads"};
}

}  // namespace

void add_code_hints(const Profile& profile, std::vector<Hint>& to) {
  for (std::optional<Hint> hint : {pinned_hint(profile), sharing_hint(profile)})
    if (hint) to.push_back(std::move(*hint));
}

}  // namespace oriel::report
