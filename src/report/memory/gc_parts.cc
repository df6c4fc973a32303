#include "report/memory/gc_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::GcPart;
using profile::Profile;

namespace {

constexpr size_t kPartRows = 30;

// All in time order; if there are too many, the longest.
std::vector<GcPart> shown_parts(const Profile& profile, size_t most) {
  std::vector<GcPart> parts = profile.gc_parts;
  if (parts.size() <= most) return parts;
  std::ranges::stable_sort(parts, std::greater<>(), &GcPart::ns);
  parts.resize(most);
  return parts;
}

}  // namespace

void write_gc_parts(const Profile& profile, const Options& options, std::ostream& out) {
  if (profile.gc_parts.empty()) return;
  const std::vector<GcPart> parts = shown_parts(profile, rows(options, kPartRows));
  Table table({{"number"}, {"began at"}, {"took"}, {"kept"}, {"promoted"}, {"freed"}, {"roots"}}, "thread's part");
  for (const GcPart& part : parts) {
    std::string name = clean(thread_label(profile.threads[part.thread])) + (part.responsible ? ", which led" : "");
    table.add({count(part.number), moment(part.start_ns), duration(part.ns), bytes(part.kept), bytes(part.promoted),
               bytes(part.freed), count(part.roots)},
              [text = std::move(name)](size_t width) { return cut_end(text, width); });
  }
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
  if (parts.size() < profile.gc_parts.size())
    write_note(fmt::format("The {} of {} that took longest.", count(parts.size()), count(profile.gc_parts.size())),
               options, out);
  write_note(
      "Of a thread's young objects: kept young, promoted to the old ones, or freed. Roots are old objects that "
      "refer to young ones.",
      options, out);
}

Json gc_parts_json(std::span<const GcPart* const> parts, const Profile& profile) {
  Json all = Json::array();
  for (const GcPart* part : parts)
    all.push_back({{"thread", thread_label(profile.threads[part->thread])},
                   {"start_ns", part->start_ns},
                   {"ns", part->ns},
                   {"responsible", part->responsible},
                   {"kept", part->kept},
                   {"promoted", part->promoted},
                   {"freed", part->freed},
                   {"roots", part->roots}});
  return all;
}

}  // namespace oriel::report
