#include "query/log.h"

#include <algorithm>
#include <tuple>

#include "base/text/patterns.h"
#include "base/text/utf8.h"
#include "pdb/find.h"
#include "profile/build/process.h"
#include "profile/functions.h"
#include "profile/merge.h"
#include "profile/work/category.h"

namespace oriel::query {
namespace {

using profile::Node;
using profile::Profile;

constexpr size_t kMostFramesOfText = 256;

// A tree's stacks from the index `first` on; nodes[0] is its root, which is no stack.
void learn_tree(const std::vector<Node>& nodes, const std::vector<int64_t>& self, uint32_t first, StackFacts& facts) {
  const auto index = [&](uint32_t node) { return node == 0 ? 0 : first + node - 1; };
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    const uint32_t at = index(i), parent = index(nodes[i].parent);
    facts.depth[at] = facts.depth[parent] + 1;
    facts.own[at] = facts.function_is_own[nodes[i].function] ? nodes[i].function : facts.own[parent];
    facts.self[at] = facts.total[at] = i < self.size() ? self[i] : 0;
  }
  for (auto i = static_cast<uint32_t>(nodes.size()); i-- > 1;)
    if (nodes[i].parent != 0) facts.total[index(nodes[i].parent)] += facts.total[index(i)];
}

// Goes down the tree with the functions that are open.
void learn_outermost(const std::vector<Node>& nodes, size_t functions, uint32_t first, StackFacts& facts) {
  std::vector<uint32_t> child(nodes.size()), sibling(nodes.size()), open(functions);
  for (auto i = static_cast<uint32_t>(nodes.size()); i-- > 1;) {
    sibling[i] = child[nodes[i].parent];
    child[nodes[i].parent] = i;
  }
  uint32_t at = nodes.empty() ? 0 : child[0];
  while (at != 0) {
    facts.is_outermost[first + at - 1] = open[nodes[at].function]++ == 0;
    if (child[at] != 0) {
      at = child[at];
      continue;
    }
    for (; at != 0; at = nodes[at].parent) {
      --open[nodes[at].function];
      if (sibling[at] == 0) continue;
      at = sibling[at];
      break;
    }
  }
}

std::string simple_name(const std::string& module) {
  for (const std::string_view end : {".dll", ".exe"})
    if (module.ends_with(end)) return module.substr(0, module.size() - end.size());
  return module;
}

StackSet stacks_with(const MethodPatterns& patterns, const Log& log) {
  const Profile& profile = log.profile();
  std::vector<uint8_t> chosen(profile.functions.size());
  for (size_t i = 1; i < chosen.size(); ++i) {
    const profile::Function& function = profile.functions[i];
    chosen[i] = patterns.of_method(simple_name(function.module), log.facts().function_is_own[i] != 0, function.name);
  }
  StackSet set(log.stack_count() + size_t{1});
  for (uint32_t stack = 1; stack < set.size(); ++stack)
    set[stack] = chosen[log.node(stack).function] | set[log.parent(stack)];
  return set;
}

}  // namespace

Log::Log(Profile its) : profile_(std::move(its)) {
  for (profile::Function& function : profile_.functions) {
    make_valid_utf8(function.name);
    make_valid_utf8(function.module);
  }
  for (profile::Thread& thread : profile_.threads) make_valid_utf8(thread.name);
  if (profile_.nodes.empty()) profile_.nodes.resize(1);
  if (profile_.call_nodes.empty()) profile_.call_nodes.resize(1);
  if (!profile_.processes.empty()) {
    process = profile::process_label(profile_.processes[0]);
    run = profile_.processes[0].run;
  }
  if (run.empty()) run = profile_.file;
  make_valid_utf8(process);
  make_valid_utf8(run);
}

uint32_t Log::stack_count() const {
  return static_cast<uint32_t>(profile_.nodes.size() - 1 + profile_.call_nodes.size() - 1);
}

uint32_t Log::index_of_call_node(uint32_t node) const {
  return node == 0 ? 0 : static_cast<uint32_t>(profile_.nodes.size() - 1 + node);
}

const Node& Log::node(uint32_t stack) const {
  return is_of_calls(stack) ? profile_.call_nodes[stack - (profile_.nodes.size() - 1)] : profile_.nodes[stack];
}

uint32_t Log::parent(uint32_t stack) const {
  const uint32_t parent = node(stack).parent;
  return is_of_calls(stack) ? index_of_call_node(parent) : parent;
}

std::string Log::line(uint32_t stack) const {
  const uint32_t position = node(stack).position;
  if (position == 0) return "";
  if (!lines_) lines_ = std::make_unique<lines::Lines>(profile_, pdb::symbol_folders());
  std::string text = lines_->short_text(lines_->of(position));
  make_valid_utf8(text);
  return text;
}

std::string Log::text(uint32_t stack) const {
  std::vector<const std::string*> names;
  uint32_t outermost = stack;
  for (; stack != 0 && names.size() < kMostFramesOfText; stack = parent(stack)) {
    names.push_back(&function(stack).name);
    outermost = stack;
  }
  std::string text;
  if (stack != 0)
    text = "…;";
  else if (node(outermost).truncated)
    text = std::string(profile::kCallersNotKnown) + ";";
  for (size_t i = names.size(); i-- > 0;) text += *names[i] + (i == 0 ? "" : ";");
  return text;
}

const StackFacts& Log::facts() const {
  if (facts_) return *facts_;
  StackFacts facts;
  const size_t size = stack_count() + size_t{1};
  facts.depth.resize(size);
  facts.own.resize(size);
  facts.is_outermost.resize(size);
  facts.self.resize(size);
  facts.total.resize(size);
  for (const profile::Function& function : profile_.functions)
    facts.function_is_own.push_back(profile::is_own(function, profile_));
  const std::vector<uint64_t>& periods = profile_.samples.by_node();
  learn_tree(profile_.nodes, {periods.begin(), periods.end()}, 1, facts);
  std::vector<int64_t> times;
  for (const profile::CallFigures& figures : profile_.call_figures) times.push_back(figures.self_ns);
  const uint32_t first_call = index_of_call_node(1);
  learn_tree(profile_.call_nodes, times, first_call, facts);
  learn_outermost(profile_.nodes, profile_.functions.size(), 1, facts);
  learn_outermost(profile_.call_nodes, profile_.functions.size(), first_call, facts);
  return facts_.emplace(std::move(facts));
}

const std::vector<profile::AllocationSite>& Log::allocation_sites() const {
  if (!allocation_sites_) allocation_sites_ = profile::allocation_sites(profile_, profile::AttributeTo::kOwn);
  return *allocation_sites_;
}

const CoveredLines& Log::covered_lines() const {
  if (!covered_lines_) covered_lines_ = query::covered_lines(profile_);
  return *covered_lines_;
}

Logs::Logs(std::vector<Profile> profiles) {
  int64_t earliest = INT64_MAX;
  for (const Profile& profile : profiles) earliest = std::min(earliest, profile.start_unix_us);
  uint32_t stacks = 0;
  std::array<uint32_t, profile::kTables> rows = {};
  for (Profile& profile : profiles) {
    Log& log = *all_.emplace_back(std::make_unique<Log>(std::move(profile)));
    log.later_ns = profile::offset_between(earliest, log.profile().start_unix_us);
    log.first_stack = stacks;
    log.first_rows = rows;
    stacks += log.stack_count();
    size_t table = 0;
    profile::each_table([&](const profile::TableName&, auto member) {
      rows[table++] += static_cast<uint32_t>((log.profile().*member).size());
    });
  }
  number_functions();
}

// Two functions are one where they are one in a log: profile/functions.h.
void Logs::number_functions() {
  using Key = std::tuple<std::string_view, std::string_view, bool, bool, bool>;
  std::map<Key, uint32_t> rows;
  uint32_t row = 0;
  for (const auto& log : all_) {
    const std::vector<profile::Function>& functions = log->profile().functions;
    log->function_rows.resize(functions.size());
    for (size_t i = 1; i < functions.size(); ++i, ++row) {
      const profile::Function& its = functions[i];
      log->function_rows[i] = row;
      if (all_.size() == 1) continue;
      const Key key(its.name, its.module, its.managed, its.type, profile::is_made_for_async_main(its));
      log->function_rows[i] = rows.try_emplace(key, row).first->second;
    }
  }
}

Logs::Place Logs::stack(int64_t number) const {
  for (const auto& log : all_) {
    const int64_t index = number - log->first_stack;
    if (index >= 1 && index <= log->stack_count()) return {log.get(), static_cast<uint32_t>(index)};
  }
  return {};
}

Result<Logs::Sets> Logs::containing(const std::string& patterns) const {
  constexpr size_t kKept = 16;
  if (const auto known = known_.find(patterns); known != known_.end()) return known->second;
  const Result<MethodPatterns> parsed = MethodPatterns::parse(patterns);
  if (!parsed) return parsed.status();
  auto sets = std::make_shared<std::vector<StackSet>>();
  for (const auto& log : all_) sets->push_back(stacks_with(*parsed, *log));
  if (known_.size() >= kKept) known_.clear();
  return known_[patterns] = std::move(sets);
}

}  // namespace oriel::query
