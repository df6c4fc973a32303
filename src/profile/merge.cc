#include "profile/merge.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "log/properties.h"
#include "profile/build/coverage_blocks.h"
#include "profile/build/process.h"
#include "profile/functions.h"
#include "profile/hashed_rows.h"
#include "profile/recorded.h"
#include "profile/table/renumber.h"

namespace oriel::profile {
namespace {

// A node of the merged tree; its key is its parent and its frame.
struct MergedNode {
  Node node;
  uint64_t hash() const {
    return mix(mix(node.parent, node.position), uint64_t{node.function} << 1 | (node.truncated ? 1 : 0));
  }
  bool same(const MergedNode& other) const {
    return node.parent == other.node.parent && node.function == other.node.function &&
           node.truncated == other.node.truncated && node.position == other.node.position;
  }
};

class Merger {
 public:
  Merger(Profile& whole, const std::vector<Profile>& parts) : whole_(whole), functions_(whole.functions) {
    for (const Profile& part : parts) {
      if (part.processes.empty()) continue;
      const auto [first, added] = first_start_.try_emplace(process_of(part), part.start_unix_us);
      if (!added) first->second = std::min(first->second, part.start_unix_us);
    }
    whole_.functions.clear();
    functions_.add({});
    whole_.call_nodes.resize(1);
    whole_.call_figures.resize(1);
    places_.add({});
  }

  void add(Profile part) {
    offset_ns_ = offset_between(whole_.start_unix_us, part.start_unix_us);
    whole_.unfiltered_periods += part.unfiltered_periods;
    first_thread_ = static_cast<uint32_t>(whole_.threads.size());
    add_functions(part);
    add_places(part.places);
    add_threads(part);
    add_nodes(part);
    if (has_calls(part) && part.async_calls.empty() && !property(part.intro, log::property::kAsync))
      whole_.calls_lack_async = true;
    add_tables(part);
    add_recording(part);
    add_processes(part);
  }

  void finish() {
    for (uint32_t i = 0; i < places_.size(); ++i) whole_.nodes.push_back(places_[i].node);
    table::MovedRows moved;
    each_table([&](const TableName&, auto rows) { table::put_in_order(moved, rows_of(whole_.*rows)); });
    drop_counts_beside_hits(whole_);
    set_property(log::property::kCpuBefore, std::to_string(cpu_before_));
  }

 private:
  int64_t moved(int64_t ns) const { return table::later(ns, offset_ns_); }

  uint32_t origin(const Origin& origin) {
    const auto same = [&](const Origin& known) { return known.kind == origin.kind && known.name == origin.name; };
    const auto found = std::ranges::find_if(whole_.origins, same);
    if (found == whole_.origins.end()) whole_.origins.push_back(origin);
    return static_cast<uint32_t>(std::ranges::find_if(whole_.origins, same) - whole_.origins.begin());
  }

  void add_functions(const Profile& part) {
    std::vector<uint32_t> origins;
    for (const Origin& one : part.origins) origins.push_back(origin(one));
    whole_.unoptimized.insert(part.unoptimized.begin(), part.unoptimized.end());
    function_of_.clear();
    for (Function function : part.functions) {
      function.origin = origins[function.origin];
      const uint32_t index = functions_.add(function);
      // Another process may not know where the assembly comes from.
      if (whole_.functions[index].origin == 0) whole_.functions[index].origin = function.origin;
      function_of_.push_back(index);
    }
  }

  uint32_t image(const Image& image) {
    std::vector<Image>& images = whole_.places.images;
    const auto known = std::ranges::find(images, image);
    if (known != images.end()) return static_cast<uint32_t>(known - images.begin());
    images.push_back(image);
    return static_cast<uint32_t>(images.size() - 1);
  }

  void add_places(const Places& part) {
    std::vector<uint32_t> images;
    for (const Image& one : part.images) images.push_back(image(one));
    std::vector<Position>& positions = whole_.places.positions;
    position_of_.assign(1, 0);
    for (size_t i = 1; i < part.positions.size(); ++i) {
      Position position = part.positions[i];
      position.image = images[position.image];
      const auto [known, made] = known_positions_.try_emplace(position, static_cast<uint32_t>(positions.size()));
      if (made) positions.push_back(position);
      position_of_.push_back(known->second);
    }
    for (Position box : part.boxes) {
      box.image = images[box.image];
      whole_.places.boxes.push_back(box);
    }
  }

  Node moved(Node node, uint32_t parent) const {
    node.parent = parent;
    node.function = function_of_[node.function];
    node.position = position_of_[node.position];
    return node;
  }

  void add_threads(const Profile& part) {
    const std::string process = part.processes.empty() ? "" : process_label(part.processes[0]);
    for (Thread thread : part.threads) {
      thread.first_ns = moved(thread.first_ns);
      thread.last_ns = moved(thread.last_ns);
      if (thread.process_name.empty()) thread.process_name = process;
      thread.process += static_cast<uint32_t>(whole_.processes.size());
      whole_.threads.push_back(std::move(thread));
    }
  }

  void add_nodes(const Profile& part) {
    node_of_.assign(part.nodes.size(), 0);
    for (size_t i = 1; i < part.nodes.size(); ++i) {
      node_of_[i] = places_.find_or_add({moved(part.nodes[i], node_of_[part.nodes[i].parent])});
    }
    // Those of calls stay apart, but for the root.
    call_nodes_ = static_cast<uint32_t>(whole_.call_nodes.size() - 1);
    for (size_t i = 1; i < part.call_nodes.size(); ++i) {
      const uint32_t parent = part.call_nodes[i].parent;
      whole_.call_nodes.push_back(moved(part.call_nodes[i], parent == 0 ? 0 : call_nodes_ + parent));
    }
  }

  // Call it after functions, threads and nodes were added. Moves the rows.
  void add_tables(Profile& part) {
    table::Renumbering by{.later_ns = offset_ns_,
                          .first_thread = first_thread_,
                          .first_process = static_cast<uint32_t>(whole_.processes.size()),
                          .call_nodes = call_nodes_,
                          .function_of = function_of_,
                          .node_of = node_of_};
    uint32_t number = 0;
    each_table(
        [&](const TableName&, auto rows) { by.first_rows[number++] = static_cast<uint32_t>((whole_.*rows).size()); });
    each_table([&](const TableName&, auto rows) {
      table::append(by, rows_of(whole_.*rows), std::exchange(rows_of(part.*rows), {}));
    });
    whole_.call_figures.resize(whole_.call_nodes.size());
    for (const auto& [place, text] : part.awaited) {
      Position position = place;
      position.image = image(part.places.images[position.image]);
      whole_.awaited.emplace(position, text);
    }
  }

  // A run's process.
  static std::pair<std::string, uint64_t> process_of(const Profile& part) {
    return {part.processes[0].run, part.processes[0].pid};
  }

  // Whether another part is an earlier file of the same process: that one has the process's time before this one.
  bool continues_another(const Profile& part) const {
    if (part.processes.empty() || part.processes[0].run.empty()) return false;
    return first_start_.at(process_of(part)) < part.start_unix_us;
  }

  void add_recording(const Profile& part) {
    for (const std::string& problem : part.problems) whole_.problems.push_back(part.file + ": " + problem);
    whole_.outcome.bytes += part.outcome.bytes;
    whole_.outcome.blocks += part.outcome.blocks;
    whole_.outcome.ended = whole_.outcome.ended && part.outcome.ended;
    whole_.outcome.torn_bytes += part.outcome.torn_bytes;
    whole_.outcome.corrupt_blocks += part.outcome.corrupt_blocks;
    const std::optional<CpuTime> cpu = cpu_time(part);
    const uint64_t told = cpu && continues_another(part) ? cpu->before_us : 0;
    const uint64_t of_user = std::min(told, part.usage.user_us);
    whole_.usage.user_us += part.usage.user_us - of_user;
    whole_.usage.system_us += part.usage.system_us - std::min(told - of_user, part.usage.system_us);
    whole_.usage.max_rss_kb = std::max(whole_.usage.max_rss_kb, part.usage.max_rss_kb);
    if (cpu) cpu_before_ += cpu->before_us - told;
    whole_.wall_ns = std::max(whole_.wall_ns, moved(part.wall_ns));
    if (whole_.sampling_hz == 0) whole_.sampling_hz = part.sampling_hz;
    whole_.sample_window_ns = std::max(whole_.sample_window_ns, part.sample_window_ns);
    whole_.sample_weight = std::max(whole_.sample_weight, part.sample_weight);
    if (whole_.sampling_mode == "none") whole_.sampling_mode = part.sampling_mode;
    // The whole's state: running before killed, killed before unknown.
    const auto worse = [](LogState a, LogState b) {
      return a == LogState::kComplete || (b != a && b == LogState::kRunning);
    };
    if (worse(whole_.state, part.state)) whole_.state = part.state;
  }

  void add_processes(const Profile& part) {
    for (Process process : part.processes) {
      process.start_ns = moved(process.start_ns);
      whole_.processes.push_back(std::move(process));
    }
  }

  void set_property(std::string_view name, const std::string& value) {
    const auto is_it = [&](const auto& property) { return property.first == name; };
    const auto known = std::ranges::find_if(whole_.intro.properties, is_it);
    if (known != whole_.intro.properties.end()) known->second = value;
  }

  Profile& whole_;
  std::map<std::pair<std::string, uint64_t>, int64_t> first_start_;  // of the parts, by process
  Functions functions_;
  HashedRows<MergedNode> places_;
  // By indexes of the part that is being added.
  std::vector<uint32_t> function_of_, position_of_, node_of_;
  std::map<Position, uint32_t> known_positions_;
  int64_t offset_ns_ = 0;
  uint32_t first_thread_ = 0;
  uint32_t call_nodes_ = 0;  // of the whole, without the root, before the part's
  uint64_t cpu_before_ = 0;
};

}  // namespace

int64_t offset_between(int64_t earliest_unix_us, int64_t start_unix_us) {
  constexpr int64_t kMost = int64_t{366} * 86'400 * 1'000'000;  // a year; if they differ by more, one of the clocks is
                                                                // wrong
  if (earliest_unix_us < 0 || start_unix_us < earliest_unix_us || start_unix_us > INT64_MAX / 2) return 0;
  return std::min(start_unix_us - earliest_unix_us, kMost) * 1000;
}

Status check_alike(const std::vector<Profile>& parts) {
  const Profile* sampled = nullptr;
  for (const Profile& part : parts) {
    if (is_call_graph(part) != is_call_graph(parts[0]))
      return Status::error("'" + part.file + "' and '" + parts[0].file +
                           "' cannot be added up: one is a call graph; name logs of one kind");
    if (!is_sampled(part)) continue;
    if (!sampled) sampled = &part;
    if (part.sampling_mode != sampled->sampling_mode || part.sampling_hz != sampled->sampling_hz)
      return Status::error("'" + part.file + "' and '" + sampled->file +
                           "' cannot be added up: they are sampled differently; look at one at a time");
  }
  return Status::ok();
}

namespace {

// The part whose command, runtime and settings stand for the whole: within one run, the process that started the
// others; else the part named first.
const Profile& leading(const std::vector<Profile>& parts) {
  const auto run_of = [](const Profile& part) { return part.processes.empty() ? "" : part.processes[0].run; };
  const std::string run = run_of(parts[0]);
  const auto is_of_it = [&](const Profile& part) { return run_of(part) == run; };
  if (run.empty() || !std::ranges::all_of(parts, is_of_it)) return parts[0];
  return *std::ranges::min_element(parts, {}, &Profile::start_unix_us);
}

}  // namespace

Profile merge(std::vector<Profile> parts) {
  if (parts.size() == 1) return std::move(parts[0]);
  Profile whole;
  whole.file = parts[0].file;
  whole.intro = leading(parts).intro;
  whole.sampling_mode = parts[0].sampling_mode;
  whole.sampling_hz = parts[0].sampling_hz;
  whole.outcome.ended = true;
  whole.start_unix_us = std::ranges::min(parts, {}, &Profile::start_unix_us).start_unix_us;
  whole.usage.clock = parts[0].usage.clock;
  Merger merger(whole, parts);
  for (Profile& part : parts) merger.add(std::move(part));
  merger.finish();
  return whole;
}

}  // namespace oriel::profile
