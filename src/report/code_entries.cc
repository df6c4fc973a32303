#include "report/code_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CodeEntries;
using profile::Profile;

namespace {

constexpr size_t kEntryRows = 30;

struct EntriesOfMethod {
  uint32_t function = 0;
  CodeEntries sums;

  // A running call whose code is replaced enters the new code without being another call.
  uint64_t as_written() const {
    const uint64_t other = sums.specialized + sums.compiled;
    const uint64_t entered = other - std::min(other, sums.replaced);
    return sums.calls - std::min(sums.calls, entered);
  }
};

void add_entries(const CodeEntries& from, CodeEntries& to) {
  to.calls += from.calls;
  to.specialized += from.specialized;
  to.compiled += from.compiled;
  to.inlined += from.inlined;
  to.replaced += from.replaced;
  to.deoptimized += from.deoptimized;
  to.deoptimized_all += from.deoptimized_all;
}

std::vector<EntriesOfMethod> entries_by_method(const Profile& profile) {
  std::vector<EntriesOfMethod> all(profile.functions.size());
  for (const CodeEntries& row : profile.code_entries) add_entries(row, all[profile.call_nodes[row.node].function].sums);
  for (uint32_t i = 0; i < all.size(); ++i) all[i].function = i;
  std::erase_if(all, [](const EntriesOfMethod& one) { return one.sums.calls == 0; });
  std::ranges::stable_sort(all, std::greater<>(), [](const EntriesOfMethod& one) { return one.sums.calls; });
  return all;
}

EntriesOfMethod entries_of_all(const Profile& profile) {
  EntriesOfMethod all;
  for (const CodeEntries& row : profile.code_entries) add_entries(row, all.sums);
  return all;
}

// A dash for none, so that the figures stand out.
std::string some(uint64_t value) { return value == 0 ? "–" : count(value); }

Json entries_json(const EntriesOfMethod& of) {
  const CodeEntries& sums = of.sums;
  return {{"calls", sums.calls},
          {"as_written", of.as_written()},
          {"specialized", sums.specialized},
          {"compiled", sums.compiled},
          {"inlined", sums.inlined},
          {"replaced", sums.replaced},
          {"deoptimized", sums.deoptimized},
          {"deoptimized_all", sums.deoptimized_all}};
}

}  // namespace

std::string code_entries_text(const Profile& profile) {
  if (profile.code_entries.empty()) return "";
  const EntriesOfMethod all = entries_of_all(profile);
  const CodeEntries& sums = all.sums;
  std::vector<std::string> parts;
  const auto add = [&](uint64_t part, const char* words) {
    if (part > 0) parts.push_back(percent(part, sums.calls) + words);
  };
  add(all.as_written(), " as written");
  add(sums.specialized, " specialized");
  add(sums.compiled, " compiled");
  add(sums.inlined, " inlined");
  std::string text = fmt::format("{}: {}", counted(sums.calls, "call", "calls"), fmt::join(parts, ", "));
  if (sums.replaced > 0) text += fmt::format("; {} OSR", count(sums.replaced));
  if (const uint64_t back = sums.deoptimized + sums.deoptimized_all; back > 0)
    text += fmt::format("; {} deopts", count(back));
  return text;
}

void write_code_entries(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<EntriesOfMethod> all = entries_by_method(profile);
  const size_t shown = std::min(rows(options, kEntryRows), all.size());
  Table table({{"calls"}, {"as written"}, {"specialized"}, {"compiled"}, {"inlined"}, {"OSR"}, {"deopts"}}, "method");
  for (const EntriesOfMethod& one : std::span(all).first(shown)) {
    const CodeEntries& sums = one.sums;
    table.add({count(sums.calls), some(one.as_written()), some(sums.specialized), some(sums.compiled),
               some(sums.inlined), some(sums.replaced), some(sums.deoptimized + sums.deoptimized_all)},
              [&function = profile.functions[one.function]](size_t width) { return fit_function(function, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < all.size())
    write_note(fmt::format("The first {} of {}.", count(shown), counted(all.size(), "method", "methods")), options,
               out);
  write_note(
      "Specialized code is still interpreted, compiled code is not; inlined calls are part of their caller's "
      "code. OSR: such code took over in a running call. Deopts: a call went back to the code as written.",
      options, out);
}

Json code_entries_json(const Profile& profile, const Options& options) {
  const std::vector<EntriesOfMethod> all = entries_by_method(profile);
  Json json = {{"all", entries_json(entries_of_all(profile))}, {"methods", Json::array()}};
  for (const EntriesOfMethod& one : std::span(all).first(std::min(rows(options, SIZE_MAX), all.size()))) {
    Json row = {{"name", profile.functions[one.function].name}};
    row.update(entries_json(one));
    json["methods"].push_back(std::move(row));
  }
  return json;
}

}  // namespace oriel::report
