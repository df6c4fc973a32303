#include "report/marks.h"

#include <fmt/format.h>

#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

std::string marks_text(const profile::Profile& profile) {
  constexpr size_t kShown = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, profile.marks.size()); ++i)
    text += fmt::format("{}\"{}\" at {}", i > 0 ? "; " : "", clean(profile.marks[i].text), moment(profile.marks[i].ns));
  if (profile.marks.size() > kShown) text += fmt::format("; {} more", profile.marks.size() - kShown);
  return text;
}

Json marks_json(const profile::Profile& profile) {
  Json json = Json::array();
  for (const profile::Mark& mark : profile.marks) json.push_back({{"at_ns", mark.ns}, {"mark", mark.text}});
  return json;
}

}  // namespace oriel::report
