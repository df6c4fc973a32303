#include "report/memory/heap_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <new>
#include <set>
#include <unordered_map>

#include "report/words/function_name.h"
#include "report/words/text.h"

namespace oriel::report {

using heap::Graph;
using profile::Profile;

std::string heap_type_name(uint32_t function, const Profile& profile) {
  return function == 0 ? "[class not known]" : clean(profile.functions[function].name);
}

std::vector<uint32_t> functions_of_types(const Graph& graph, uint32_t row, const Profile& profile) {
  std::unordered_map<uint64_t, uint32_t> by_number;
  for (const profile::HeapType& type : profile.heap_types)
    if (type.snapshot == row) by_number[type.number] = type.type;
  std::vector<uint32_t> functions;
  for (const log::HeapType& type : graph.snapshot.types) {
    const auto known = by_number.find(type.number);
    functions.push_back(known == by_number.end() ? 0 : known->second);
  }
  return functions;
}

const std::string& file_of_snapshot(uint32_t row, const Profile& profile) {
  const uint32_t process = profile.heap_snapshots[row].process;
  return process < profile.processes.size() ? profile.processes[process].file : profile.file;
}

uint32_t first_root_of_snapshot(uint32_t row, const Profile& profile) {
  const auto first = std::ranges::find(profile.heap_roots, row, &profile::HeapRoots::snapshot);
  return static_cast<uint32_t>(first - profile.heap_roots.begin());
}

namespace {

// Which process the snapshot is of. A process may have several files; other tools' do not tell theirs.
std::pair<uint64_t, std::string_view> process_of_snapshot(uint32_t row, const Profile& profile) {
  const uint32_t process = profile.heap_snapshots[row].process;
  if (process >= profile.processes.size()) return {0, ""};
  return {profile.processes[process].pid, profile.processes[process].name};
}

// Those of the last one's process, by file and number.
std::vector<uint32_t> snapshots_of_process(const Profile& profile) {
  std::vector<uint32_t> rows;
  const auto last = static_cast<uint32_t>(profile.heap_snapshots.size() - 1);
  for (uint32_t row = 0; row <= last; ++row)
    if (process_of_snapshot(row, profile) == process_of_snapshot(last, profile)) rows.push_back(row);
  std::ranges::stable_sort(rows, {}, [&](uint32_t row) {
    return std::pair(profile.heap_snapshots[row].process, profile.heap_snapshots[row].number);
  });
  return rows;
}

bool are_several_processes(const Profile& profile) {
  const auto last = static_cast<uint32_t>(profile.heap_snapshots.size() - 1);
  for (uint32_t row = 0; row < last; ++row)
    if (process_of_snapshot(row, profile) != process_of_snapshot(last, profile)) return true;
  return false;
}

std::vector<uint32_t> last_snapshots_of_files(const Profile& profile) {
  std::map<uint32_t, uint32_t> last;  // by file
  for (uint32_t row = 0; row < profile.heap_snapshots.size(); ++row)
    last.insert_or_assign(profile.heap_snapshots[row].process, row);
  std::vector<uint32_t> rows;
  for (const auto& [process, row] : last) rows.push_back(row);
  return rows;
}

// "there are 1 to 3, 5": one that was broken off is missing between others. "there is only 2".
std::string numbers_of(const std::vector<uint32_t>& rows, const Profile& profile) {
  std::set<uint64_t> numbers;  // several processes may have the same
  for (const uint32_t row : rows) numbers.insert(profile.heap_snapshots[row].number);
  std::string text;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const uint64_t first = *at;
    uint64_t last = first;
    while (++at != numbers.end() && *at == last + 1) last = *at;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", first);
    if (last != first) text += fmt::format(" to {}", last);
  }
  return (numbers.size() == 1 ? "there is only " : "there are ") + text;
}

Result<size_t> find_snapshot(const std::string& number, const std::vector<uint32_t>& rows, const Profile& profile) {
  uint64_t wanted = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  const auto number_of = [&](uint32_t row) { return profile.heap_snapshots[row].number; };
  const auto found = std::ranges::find(rows, wanted, number_of);
  if (error == std::errc() && end == number.data() + number.size() && found != rows.end()) {
    if (std::ranges::count(rows, wanted, number_of) == 1) return static_cast<size_t>(found - rows.begin());
    return Status::error(fmt::format("several files have a snapshot {} of the heap; name one of them alone", number));
  }
  return Status::error(fmt::format("there is no snapshot {} of the heap; {}", number, numbers_of(rows, profile)));
}

using Entries = std::unordered_map<std::string, uint32_t>;

// The index of the entry of that name, which is made if there is none.
uint32_t entry_of(const std::string& name, Entries& known, HeapData& data) {
  const auto [entry, is_new] = known.try_emplace(name, static_cast<uint32_t>(data.types.size()));
  if (is_new) {
    TypeOverTime& type = data.types.emplace_back();
    type.name = name;
    type.objects.resize(data.snapshots.rows.size());
    type.bytes.resize(data.snapshots.rows.size());
  }
  return entry->second;
}

Entries add_counts(const Profile& profile, HeapData& data) {
  std::map<uint32_t, size_t> place_of;  // of a row of snapshots
  for (size_t i = 0; i < data.snapshots.rows.size(); ++i) place_of[data.snapshots.rows[i]] = i;
  Entries known;
  std::unordered_map<uint32_t, uint32_t> of_function;
  for (const profile::HeapType& row : profile.heap_types) {
    const auto at = place_of.find(row.snapshot);
    if (at == place_of.end()) continue;
    const auto [function, is_new] = of_function.try_emplace(row.type, 0);
    if (is_new) function->second = entry_of(heap_type_name(row.type, profile), known, data);
    TypeOverTime& type = data.types[function->second];
    type.objects[at->second] += row.objects;
    type.bytes[at->second] += row.bytes;
  }
  return known;
}

// By type of the graph, the entry of its name.
std::vector<uint32_t> names_of(const Graph& graph, const Profile& profile, Entries& known, HeapData& data) {
  std::vector<uint32_t> names;
  for (const uint32_t function : functions_of_types(graph, data.snapshots.last(), profile)) {
    const uint32_t name = entry_of(heap_type_name(function, profile), known, data);
    data.types[name].indexes.push_back(static_cast<uint32_t>(names.size()));
    names.push_back(name);
  }
  return names;
}

void load_graph_of(const Profile& profile, HeapParts parts, Entries& known, HeapData& data) {
  const uint32_t row = data.snapshots.last();
  Result<Graph> graph =
      heap::load_graph(file_of_snapshot(row, profile), profile.heap_snapshots[row].number,
                       parts == HeapParts::kAddresses ? heap::Addresses::kRead : heap::Addresses::kLeftOut);
  if (!graph) {
    data.problem = graph.message();
    return;
  }
  HeapData::Loaded& loaded = data.loaded.emplace();
  loaded.graph = std::move(*graph);
  data.problem = loaded.graph.problem;
  loaded.tree = heap::dominators_of(loaded.graph);
  loaded.figures = heap::type_figures(loaded.graph, loaded.tree);
  loaded.names = names_of(loaded.graph, profile, known, data);
  loaded.first_root = first_root_of_snapshot(row, profile);
  for (size_t i = 0; i < loaded.figures.size(); ++i) {
    const heap::TypeFigures& figures = loaded.figures[i];
    heap::TypeFigures& sum = data.types[loaded.names[i]].last;
    sum.objects += figures.objects;
    sum.bytes += figures.bytes;
    sum.retained += figures.retained;
    sum.unreachable += figures.unreachable;
    sum.unreachable_bytes += figures.unreachable_bytes;
  }
}

void load(const Profile& profile, HeapParts parts, Entries& known, HeapData& data) {
  try {
    load_graph_of(profile, parts, known, data);
  } catch (const std::bad_alloc&) {
    data.loaded.reset();
    data.problem = "There is too little memory to read the snapshot's references: only types are counted.";
  }
}

void sort_types(HeapData& data) {
  const bool loaded = data.loaded.has_value();
  std::vector<uint32_t> order(data.types.size()), place(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater<>(), [&](uint32_t i) {
    return loaded ? data.types[i].last.retained : data.types[i].bytes.back();
  });
  std::vector<TypeOverTime> sorted;
  for (uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(data.types[order[i]]));
  }
  data.types = std::move(sorted);
  if (loaded)
    for (uint32_t& name : data.loaded->names) name = place[name];
}

// Whether it grew in each third of the time, in the last one at a notable part of the mean pace.
bool grows_on(const std::vector<uint64_t>& sizes, const std::vector<int64_t>& times) {
  constexpr size_t kFewest = 3;
  if (sizes.size() < kFewest) return false;
  const int64_t span = times.back() - times.front();
  const size_t rest = sizes.size() - 1;
  size_t one = 1;
  while (one + 1 < rest && times[one] < times.front() + span / 3) ++one;
  size_t two = one;
  while (two + 1 < rest && times[two + 1] <= times.back() - span / 3) ++two;
  const auto grown = [&](size_t from, size_t to) {
    return static_cast<double>(sizes[to]) - static_cast<double>(sizes[from]);
  };
  if (grown(0, one) <= 0 || grown(one, two) < 0 || grown(two, rest) <= 0) return false;
  if (span <= 0) return true;
  const double part = static_cast<double>(times[rest] - times[two]) / static_cast<double>(span);
  return grown(two, rest) >= grown(0, rest) * part / 4;
}

constexpr double kNotable = 1e6, kNotablePart = 0.05;  // bytes, and of the heap

bool grew_notably(const TypeOverTime& type, uint64_t least) {
  constexpr int64_t kFewest = 3;  // one more of what holds everything is no growth
  if (type.last.objects == 0) return false;
  const double part = static_cast<double>(type.grown_objects()) / static_cast<double>(type.last.objects);
  double grown = static_cast<double>(type.grown_bytes());  // an array that grows is still one object
  if (type.grown_objects() >= kFewest) grown = std::max(grown, part * static_cast<double>(type.last.retained));
  return grown >= static_cast<double>(least);
}

}  // namespace

Result<ChosenSnapshots> choose_snapshots(const Profile& profile, const HeapOptions& options) {
  if (profile.heap_snapshots.empty())
    return Status::error("this log has no snapshot of the heap; oriel run --heap takes one");
  std::vector<uint32_t> rows = snapshots_of_process(profile);
  if (options.diff && (rows.size() == 1 || are_several_processes(profile))) rows = last_snapshots_of_files(profile);
  size_t first = 0, last = rows.size() - 1;
  for (const auto& [number, at] : {std::pair(&options.snapshot, &last), std::pair(&options.since, &first)}) {
    if (number->empty()) continue;
    const Result<size_t> found = find_snapshot(*number, rows, profile);
    if (!found) return found.status();
    *at = *found;
  }
  if (first > last) {
    if (!options.since.empty()) return Status::error("--since must name a snapshot before that of --snapshot");
    first = last;
  }
  return ChosenSnapshots{
      {rows.begin() + static_cast<ptrdiff_t>(first), rows.begin() + static_cast<ptrdiff_t>(last + 1)}};
}

std::string other_heaps_sentence(const HeapData& data, const Profile& profile) {
  const auto its = process_of_snapshot(data.snapshots.last(), profile);
  std::set<std::string> files;
  for (uint32_t row = 0; row < profile.heap_snapshots.size(); ++row)
    if (process_of_snapshot(row, profile) != its) files.insert(clean(file_of_snapshot(row, profile)));
  if (files.empty()) return "";
  constexpr size_t kNamed = 3;
  std::string names;
  size_t named = 0;
  for (const std::string& file : files)
    if (++named <= kNamed) names += (named == 1 ? "" : ", ") + file;
  if (files.size() > kNamed) names += fmt::format(" and {} more", files.size() - kNamed);
  return fmt::format("This is the heap of {}. Other processes have snapshots too, in {}: name one of these alone.",
                     clean(file_of_snapshot(data.snapshots.last(), profile)), names);
}

HeapParts parts_for(const HeapOptions& options) {
  if (options.types_only) return HeapParts::kTypes;
  return options.diff ? HeapParts::kAddresses : HeapParts::kGraph;
}

HeapData read_heap(const Profile& profile, const ChosenSnapshots& chosen, HeapParts parts) {
  HeapData data;
  data.snapshots = chosen;
  Entries known = add_counts(profile, data);
  if (parts != HeapParts::kTypes) load(profile, parts, known, data);
  if (!data.loaded)
    for (TypeOverTime& type : data.types) type.last = {type.objects.back(), type.bytes.back(), 0, 0, 0};
  sort_types(data);
  return data;
}

std::string snapshot_name(const HeapData& data, size_t at, const Profile& profile) {
  const profile::HeapSnapshot& snapshot = data.snapshot(profile, at);
  const std::string file = clean(file_of_snapshot(data.snapshots.rows[at], profile));
  if (snapshot.cause == log::kHeapDumpCause) return file;
  const std::string name = fmt::format("snapshot {}", snapshot.number);
  return snapshot.process == data.snapshot(profile, 0).process && snapshot.process == data.last(profile).process
             ? name
             : name + " of " + file;
}

std::string snapshot_text(const HeapData& data, size_t at, const Profile& profile) {
  const profile::HeapSnapshot& snapshot = data.snapshot(profile, at);
  const std::string name = snapshot_name(data, at, profile);
  if (snapshot.cause == log::kHeapDumpCause) return name;
  return fmt::format("{}, at {}{}", name, moment(snapshot.ns),
                     snapshot.cause.empty() ? "" : " (" + clean(snapshot.cause) + ")");
}

bool are_of_one_process(const HeapData& data, const Profile& profile) {
  return data.last(profile).cause != log::kHeapDumpCause && process_of_snapshot(data.snapshots.rows.front(), profile) ==
                                                                process_of_snapshot(data.snapshots.last(), profile);
}

int64_t time_between(const HeapData& data, const Profile& profile) {
  return data.last(profile).ns - data.snapshot(profile, 0).ns;
}

double per_minute(int64_t growth, int64_t ns) {
  constexpr double kMinute = 60e9;
  return ns <= 0 ? 0 : static_cast<double>(growth) / static_cast<double>(ns) * kMinute;
}

std::string root_text(const profile::HeapRoots& roots, const Profile& profile) {
  const auto on_thread = [&](const char* before) {
    return roots.thread >= profile.threads.size()
               ? std::string(before == std::string_view("thread") ? "a thread" : "")
               : fmt::format("{} {}", before, clean(thread_label(profile.threads[roots.thread])));
  };
  // A word there may be left over from a call that has returned.
  const auto stack_text = [&](const std::string& method) {
    return "a word on the stack of " + (method.empty() ? on_thread("thread") : method + on_thread(" on thread"));
  };
  const std::string name = clean(roots.name);
  switch (roots.kind) {
    case log::HeapRootKind::kStatic:
      return name.empty() ? "a static field" : "static " + name;
    case log::HeapRootKind::kThreadStatic:
      return (name.empty() ? "a thread-static field" : "thread-static " + name) + on_thread(" of thread");
    case log::HeapRootKind::kStack:
      return stack_text(roots.function == 0 ? name : clean(profile.functions[roots.function].name));
    case log::HeapRootKind::kPinnedHandle:
      return "a pinned GC handle";
    case log::HeapRootKind::kRefCounted:
      return "a wrapper that native code refers to";
    case log::HeapRootKind::kFinalizer:
      return "the queue of finalizers";
    case log::HeapRootKind::kNative:
      return name.empty() ? "a word in native memory" : "the runtime's " + name;
    default:
      return "a GC handle";
  }
}

std::string root_text(const HeapData& data, uint32_t root, const Profile& profile) {
  const size_t row = data.loaded->first_root + root;
  return row < profile.heap_roots.size() ? root_text(profile.heap_roots[row], profile) : "a root";
}

std::string node_text(const HeapData& data, uint32_t number, const Profile& profile) {
  const heap::Dominators& tree = data.loaded->tree;
  if (tree.is_object(number)) return data.type_name(tree.nodes[number]);
  if (number == 0) return "the roots";
  return root_text(data, tree.root(number), profile);
}

std::string with_place(const std::string& type, const std::string& place) {
  if (place.empty()) return type;
  if (!place.starts_with("[]")) return place.find(' ') == std::string::npos ? type + "." + place : type + ", " + place;
  return type.ends_with("[]") ? type + place.substr(2) : type + place;
}

heap::ChosenTypes HeapData::chosen(const TypeOverTime& type) const {
  heap::ChosenTypes of_name(loaded->graph.snapshot.types.size());
  for (const uint32_t index : type.indexes) of_name[index] = true;
  return of_name;
}

HolderText holder_text(const HeapData& data, const heap::Holder& holder, const Profile& profile) {
  const Graph& graph = data.loaded->graph;
  const heap::Dominators& tree = data.loaded->tree;
  HolderText text{{}, {}, 0, holder.bytes, holder.all};
  for (const heap::Holder::Share& share : holder.shares)
    text.shares.emplace_back(node_text(data, share.number, profile), share.bytes);
  for (size_t i = 0; i < holder.chain.size(); ++i) {
    const uint32_t number = holder.chain[i];
    std::string step = node_text(data, number, profile);
    if (tree.is_object(number)) {
      text.types.push_back(step);
      const uint32_t next = i + 1 < holder.chain.size() ? holder.chain[i + 1] : holder.next;
      uint8_t place = 0;
      if (next != 0 && heap::find_place(graph, tree.nodes[number], tree.nodes[next], place))
        step = with_place(step, heap::place_name(graph.type(tree.nodes[number]), place));
    }
    text.steps.push_back(std::move(step));
    text.retained = tree.retained[number];
  }
  return text;
}

namespace {

// A word in native memory may be left over: what nothing else holds may be garbage.
bool is_only_native_memory(const heap::Holder& holder, const heap::Dominators& tree) {
  return !holder.chain.empty() && tree.is_root(holder.chain.front()) &&
         tree.roots[tree.root(holder.chain.front())].kind == log::HeapRootKind::kNative;
}

heap::Holder holder_of(const HeapData& data, const TypeOverTime& type) {
  return data.loaded ? heap::main_holder(data.loaded->graph, data.loaded->tree, data.chosen(type)) : heap::Holder();
}

// Snapshots that come by themselves begin while the program starts, and some programs only start, work and end:
// compilers.
bool is_too_short(const HeapData& data, const Profile& profile) {
  constexpr int64_t kLeast = 5'000'000'000;
  const std::string& cause = data.last(profile).cause;
  return (cause == "interval" || cause == "growth" || cause == "exit") && time_between(data, profile) < kLeast;
}

// What a single snapshot has most of.
HeapVerdict most_held(const HeapData& data) {
  for (const TypeOverTime& type : data.types) {
    if (type.last.objects <= 1) continue;
    heap::Holder holder = holder_of(data, type);
    if (!data.loaded || !is_only_native_memory(holder, data.loaded->tree))
      return {HeapTrend::kOne, &type, std::move(holder)};
  }
  return {HeapTrend::kOne};
}

}  // namespace

uint64_t notable_growth(const HeapData& data, const Profile& profile) {
  return static_cast<uint64_t>(std::max(kNotable, kNotablePart * static_cast<double>(data.last(profile).bytes)));
}

HeapVerdict verdict_of(const HeapData& data, const Profile& profile) {
  const uint64_t least = notable_growth(data, profile);
  if (data.snapshots.rows.size() == 1) return most_held(data);
  HeapVerdict verdict;
  if (!data.loaded) return verdict;  // what grew may be garbage
  std::vector<int64_t> times;
  for (size_t i = 0; i < data.snapshots.rows.size(); ++i) times.push_back(data.snapshot(profile, i).ns);
  for (const TypeOverTime& type : data.types) {
    if (!grew_notably(type, least)) continue;
    const bool on = grows_on(type.bytes, times);
    if (verdict.type != nullptr && !on) continue;
    // What was as large before comes and goes.
    if (!on && type.bytes.back() < *std::ranges::max_element(type.bytes)) continue;
    heap::Holder holder = holder_of(data, type);
    if (is_only_native_memory(holder, data.loaded->tree)) continue;
    verdict = {on ? HeapTrend::kGoesOn : HeapTrend::kGrew, &type, std::move(holder)};
    if (on) break;
  }
  if (verdict.trend == HeapTrend::kGoesOn && is_too_short(data, profile)) verdict.trend = HeapTrend::kStarts;
  return verdict;
}

}  // namespace oriel::report
