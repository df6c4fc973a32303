#include "coverage/builds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace oriel::coverage {
namespace {

class Joiner {
 public:
  explicit Joiner(Coverage& coverage) : coverage_(coverage) {}

  std::vector<uint32_t> run() {
    std::vector<uint32_t> now(coverage_.methods.size());
    for (uint32_t i = 0; i < now.size(); ++i) now[i] = i;
    if (!find_builds()) return now;
    std::map<Identity, uint32_t> known;
    std::vector<Method> kept;
    for (uint32_t i = 0; i < coverage_.methods.size(); ++i) {
      Method& method = coverage_.methods[i];
      const Identity identity = identity_of(method);
      method.type = type_now_[method.type];
      const auto [place, is_new] = known.try_emplace(identity, static_cast<uint32_t>(kept.size()));
      now[i] = place->second;
      if (is_new)
        kept.push_back(std::move(method));
      else
        add(method, kept[place->second]);
    }
    coverage_.methods = std::move(kept);
    return now;
  }

 private:
  // Type, file and names; for compiler-generated methods the line instead of the numbered name, and an index within the
  // line: the numbers differ between builds.
  using Identity = std::tuple<uint32_t, uint32_t, std::string, std::string, uint32_t, uint32_t>;

  uint32_t assembly_of(const Method& method) const { return coverage_.types[method.type].assembly; }

  // Returns whether there are any.
  bool find_builds() {
    std::vector<std::set<uint32_t>> files(coverage_.assemblies.size());
    for (const Method& method : coverage_.methods)
      for (const Line& line : method.lines) files[assembly_of(method)].insert(line.file);
    std::vector<Assembly> kept;
    std::vector<std::set<uint32_t>> files_of_kept;
    std::vector<uint32_t> now;
    for (size_t i = 0; i < files.size(); ++i) {
      Assembly& assembly = coverage_.assemblies[i];
      size_t same = 0;
      while (same < kept.size() && !(kept[same].name == assembly.name && share(files_of_kept[same], files[i]))) ++same;
      now.push_back(static_cast<uint32_t>(same));
      if (same == kept.size()) {
        kept.push_back(assembly);
        files_of_kept.push_back(std::move(files[i]));
        continue;
      }
      if (assembly.loaded && !kept[same].loaded) kept[same].path = assembly.path;
      kept[same].loaded |= assembly.loaded;
      files_of_kept[same].merge(files[i]);
    }
    if (kept.size() == coverage_.assemblies.size()) return false;
    coverage_.assemblies = std::move(kept);
    join_types(now);
    return true;
  }

  static bool share(const std::set<uint32_t>& some, const std::set<uint32_t>& others) {
    return std::ranges::any_of(some, [&](uint32_t file) { return others.contains(file); });
  }

  void join_types(const std::vector<uint32_t>& assembly_now) {
    std::map<std::pair<uint32_t, std::string>, uint32_t> known;
    std::vector<Type> kept;
    for (Type& type : coverage_.types) {
      build_of_type_.push_back(type.assembly);
      type.assembly = assembly_now[type.assembly];
      const auto [place, is_new] = known.try_emplace({type.assembly, type.name}, static_cast<uint32_t>(kept.size()));
      type_now_.push_back(place->second);
      if (is_new) kept.push_back(std::move(type));
    }
    coverage_.types = std::move(kept);
  }

  Identity identity_of(const Method& method) {
    constexpr uint32_t kNone = UINT32_MAX;
    const bool is_numbered =
        method.raw_name.find('<') != std::string::npos || method.raw_type.find('<') != std::string::npos;
    const uint32_t file = method.lines.empty() ? kNone : method.lines.front().file;
    const uint32_t type = type_now_[method.type];
    const std::string signature = method.raw_parameters + ":" + method.raw_result;
    if (!is_numbered || method.lines.empty())
      return {type, file, method.raw_type + "." + method.raw_name, signature, kNone, 0};
    const std::string outer = method.name.substr(0, method.name.find(".lambda#"));
    Identity identity{type, file, outer, signature, method.lines.front().number, 0};
    std::get<5>(identity) = seen_[{build_of_type_[method.type], identity}]++;
    return identity;
  }

  uint64_t sum(uint64_t a, uint64_t b) const {
    const uint64_t most = coverage_.counts ? std::numeric_limits<uint64_t>::max() : 1;
    return a > most - std::min(b, most) ? most : a + b;
  }

  void add(const Method& more, Method& to) const {
    to.count = sum(to.count, more.count);
    for (const Line& line : more.lines) {
      const auto place_of = [](const Line& one) { return std::pair(one.file, one.number); };
      const auto place = std::ranges::lower_bound(to.lines, place_of(line), {}, place_of);
      if (place == to.lines.end() || place_of(*place) != place_of(line))
        to.lines.insert(place, line);
      else
        add(line, *place);
    }
    add_branches(more, to);
  }

  void add(const Line& more, Line& to) const {
    to.reach = std::min(to.reach, more.reach);
    if (to.statements.size() == more.statements.size() && !to.statements.empty()) {
      for (size_t i = 0; i < to.statements.size(); ++i) to.statements[i] = sum(to.statements[i], more.statements[i]);
      to.count = std::ranges::max(to.statements);
      to.partly = to.count > 0 && std::ranges::min(to.statements) == 0;
      return;
    }
    // Statements differ between builds: the line ran fully if it did in one build.
    to.partly = to.count == 0 ? more.partly : more.count == 0 ? to.partly : to.partly && more.partly;
    to.count = sum(to.count, more.count);
  }

  using OfLine = std::vector<Branch>;

  static std::map<std::pair<uint32_t, uint32_t>, OfLine> by_line(const std::vector<Branch>& branches) {
    std::map<std::pair<uint32_t, uint32_t>, OfLine> lines;
    for (const Branch& branch : branches) lines[{branch.file, branch.line}].push_back(branch);
    return lines;
  }

  static uint64_t gone(const OfLine& branches) {
    uint64_t ways = 0;
    for (const Branch& branch : branches)
      ways += static_cast<uint64_t>(std::ranges::count_if(branch.arms, [](uint64_t count) { return count > 0; }));
    return ways;
  }

  // Where branches of a line differ between builds, keeps those with more taken arms.
  void add_branches(const Method& more, Method& to) const {
    auto lines = by_line(to.branches);
    const auto same_arms = [](const Branch& a, const Branch& b) { return a.arms.size() == b.arms.size(); };
    for (auto& [place, branches] : by_line(more.branches)) {
      OfLine& known = lines[place];
      if (!std::ranges::equal(known, branches, same_arms)) {
        if (known.empty() || gone(branches) > gone(known)) known = branches;
        continue;
      }
      for (size_t i = 0; i < known.size(); ++i)
        for (size_t arm = 0; arm < known[i].arms.size(); ++arm)
          known[i].arms[arm] = sum(known[i].arms[arm], branches[i].arms[arm]);
    }
    to.branches.clear();
    for (auto& [place, branches] : lines) to.branches.insert(to.branches.end(), branches.begin(), branches.end());
  }

  Coverage& coverage_;
  std::vector<uint32_t> type_now_, build_of_type_;          // by old type
  std::map<std::pair<uint32_t, Identity>, uint32_t> seen_;  // occurrences in a build
};

}  // namespace

std::vector<uint32_t> join_builds(Coverage& coverage) { return Joiner(coverage).run(); }

}  // namespace oriel::coverage
