#include "profile/category.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "profile/call_tree.h"
#include "profile/sample_tree.h"

namespace oriel::profile {
namespace {

// .NET's own assemblies, where the log does not tell where an assembly comes from.
bool is_named_as_framework(const Function& function) {
  constexpr std::string_view kBeginnings[] = {"System.", "Microsoft.", "mscorlib.", "netstandard.", "FSharp.Core."};
  return std::ranges::any_of(kBeginnings, [&](std::string_view begins) { return function.module.starts_with(begins); });
}

bool begins_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view begins) { return text.starts_with(begins); });
}

struct Meaning {
  Category category = Category::kUnknown;
  std::string name;
  bool of_caller = false;  // means what its caller means
};

std::string without_version(const std::string& name) { return name.substr(0, name.rfind(' ')); }

Meaning managed_meaning(const Function& function, const Profile& profile) {
  const Origin& origin = profile.origins[function.origin];
  switch (origin.kind) {
    case log::Origin::kProject:
      return {Category::kOwn, ""};
    case log::Origin::kPackage:
      return {Category::kPackage, without_version(origin.name)};
    case log::Origin::kFramework:
      return {Category::kFramework, without_version(origin.name)};
    case log::Origin::kUnknown:
      break;
  }
  if (function.module.empty()) return {Category::kGenerated, ""};
  return {is_named_as_framework(function) ? Category::kFramework : Category::kOwn, ""};
}

Meaning native_meaning(const Function& function) {
  const std::string& library = function.module;
  if (function.name == "[runtime stub]") return {Category::kStub, ""};
  if (begins_with_any(library, {"libclrjit", "libmono-jit"})) return {Category::kJit, ""};
  if (begins_with_any(library, {"libclrgc"})) return {Category::kGc, ""};
  if (begins_with_any(library, {"libcoreclr"}) || function.name.starts_with("[runtime in "))
    return {Category::kRuntime, ""};
  if (begins_with_any(library, {"libSystem.", "libhost", "libnethost"})) return {Category::kFramework, ""};
  if (begins_with_any(library, {"libc.", "libc-", "libm.", "libpthread", "libstdc++", "libgcc_s", "ld-", "ld.",
                                "linux-vdso", "[vdso]"}))
    return {Category::kUnknown, "", true};
  if (library.empty()) return {Category::kUnknown, ""};
  return {Category::kNative, library};
}

std::vector<Meaning> meanings(const Profile& profile) {
  std::vector<Meaning> result;
  for (const Function& function : profile.functions)
    result.push_back(function.managed ? managed_meaning(function, profile) : native_meaning(function));
  return result;
}

// By node: the function that says what the node means. What the JIT compiler calls is the JIT compiler's.
std::vector<uint32_t> telling_functions(const Profile& profile, const std::vector<Meaning>& meanings) {
  std::vector<uint32_t> telling(profile.nodes.size());
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    const Meaning& own = meanings[node.function];
    const uint32_t caller = telling[node.parent];
    const bool below_jit = meanings[caller].category == Category::kJit && !profile.functions[node.function].managed;
    const bool inherits = own.of_caller && caller != 0;
    telling[i] = below_jit || inherits ? caller : node.function;
  }
  return telling;
}

// Threads that do nothing else, by the names that the runtime gives them.
bool is_collecting(const Thread& thread) {
  return begins_with_any(thread.name, {".NET Server GC", ".NET BGC", ".NET GC"});
}

}  // namespace

bool is_own(const Function& function, const Profile& profile) {
  return function.managed && managed_meaning(function, profile).category == Category::kOwn;
}

std::vector<Share> shares(const Profile& profile) {
  const std::vector<Meaning> all = meanings(profile);
  const std::vector<uint32_t> telling = telling_functions(profile, all);
  std::map<std::pair<Category, std::string>, uint64_t> sums;
  for (const Sample& sample : profile.samples) {
    const Meaning& meaning = all[telling[sample.node]];
    const bool collects = meaning.category == Category::kRuntime && is_collecting(profile.threads[sample.thread]);
    sums[{collects ? Category::kGc : meaning.category, meaning.name}] += sample.periods;
  }
  std::vector<Share> result;
  for (const auto& [key, periods] : sums) result.push_back({key.first, key.second, periods});
  std::ranges::stable_sort(result, std::greater<>(), &Share::periods);
  return result;
}

std::vector<OwnTotals> own_totals(const Profile& profile) {
  std::vector<bool> own(profile.functions.size());
  for (size_t i = 1; i < own.size(); ++i) own[i] = is_own(profile.functions[i], profile);
  std::vector<uint32_t> nearest(profile.nodes.size());
  for (size_t i = 1; i < nearest.size(); ++i)
    nearest[i] = own[profile.nodes[i].function] ? profile.nodes[i].function : nearest[profile.nodes[i].parent];
  std::vector<uint64_t> sums(profile.functions.size());
  for (const Sample& sample : profile.samples) sums[nearest[sample.node]] += sample.periods;
  std::vector<OwnTotals> result;
  for (const FunctionTotals& totals : function_totals(profile))
    if (own[totals.function]) result.push_back({totals.function, sums[totals.function], totals.total});
  std::ranges::stable_sort(result, std::greater<>(), &OwnTotals::nearest);
  return result;
}

}  // namespace oriel::profile
