#include "report/aborts.h"

#include <fmt/format.h>

#include <algorithm>

#include "lines/lines.h"
#include "pdb/find.h"
#include "profile/build/process.h"
#include "profile/work/exception_costs.h"
#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/text.h"

namespace oriel::report {

using profile::Abort;
using profile::Profile;

namespace {

// The node to show: own code, where the exception was first thrown.
uint32_t telling_node(const Abort& abort, const Profile& profile) {
  return profile::throwing_node(profile, abort.first_at != 0 ? abort.first_at : abort.stack);
}

std::string place_text(uint32_t node, const Profile& profile, lines::Lines& lines) {
  const std::string name = fit_function(profile.functions[profile.nodes[node].function], 70);
  const std::string line = clean(lines.short_text(lines.of(profile.nodes[node].position)));
  return line.empty() ? name : name + ", " + line;
}

std::string abort_text(const Abort& abort, const Profile& profile, lines::Lines& lines) {
  constexpr size_t kMessage = 200;
  const uint32_t node = telling_node(abort, profile);
  const std::string place = node != 0 ? place_text(node, profile, lines) : "";
  switch (abort.cause) {
    case Abort::Cause::kException:
      return fmt::format("by an unhandled {}{}{}", fit_name(abort.type, 70),
                         abort.message.empty() ? "" : ", " + quoted(abort.message, kMessage),
                         place.empty() ? "" : ", thrown by " + place);
    case Abort::Cause::kFailFast:
      return "by Environment.FailFast" + (place.empty() ? "" : ", called by " + place);
    case Abort::Cause::kOther:
      break;
  }
  return "with an abort" + (place.empty() ? ", of which stderr says why" : " in " + place);
}

void write_stack(uint32_t stack, const Profile& profile, lines::Lines& lines, const Options& options,
                 std::ostream& out) {
  constexpr size_t kMost = 12;
  constexpr std::string_view kAt = "  at ";
  size_t shown = 0, more = 0;
  for (uint32_t node = stack; node != 0; node = profile.nodes[node].parent) {
    const profile::Function& function = profile.functions[profile.nodes[node].function];
    if (!function.managed || function.name.starts_with("System.Runtime.EH.")) continue;
    if (shown == kMost) {
      ++more;
      continue;
    }
    ++shown;
    const std::string line = clean(lines.short_text(lines.of(profile.nodes[node].position)));
    out << kAt << fit_at_line(function, line, options.width - kAt.size()) << '\n';
  }
  if (more > 0) out << "  and " << more << (more == 1 ? " more caller\n" : " more callers\n");
}

std::string process_of(const Abort& abort, const Profile& profile) {
  if (profile.processes.size() < 2) return "";
  return clean(profile::process_label(profile.processes[abort.process])) + ": ";
}

Json place_json(uint32_t node, const Profile& profile, lines::Lines& lines) {
  Json json;
  add_function(json, profile.functions[profile.nodes[node].function]);
  const lines::Line line = lines.of(profile.nodes[node].position);
  if (line.file != 0) {
    json["file"] = lines.file(line.file).path;
    json["line"] = line.line;
  }
  return json;
}

Json abort_json(const Abort& abort, const Profile& profile, lines::Lines& lines) {
  Json json = {{"cause", abort.cause_name()}, {"thread", thread_label(profile.threads[abort.thread])}};
  if (!abort.type.empty()) json["type"] = abort.type;
  if (!abort.message.empty()) json["message"] = abort.message;
  if (profile.processes.size() > 1) json["process"] = profile.processes[abort.process].pid;
  if (const uint32_t node = telling_node(abort, profile); node != 0) json["by"] = place_json(node, profile, lines);
  json["stack"] = Json::array();
  for (uint32_t node = abort.stack; node != 0; node = profile.nodes[node].parent)
    json["stack"].push_back(place_json(node, profile, lines));
  return json;
}

}  // namespace

std::string quoted(std::string_view message, size_t width) {
  std::string text = clean(message);
  std::ranges::replace(text, '\n', ' ');
  return "“" + cut_end(text, width - std::min<size_t>(width, 2)) + "”";
}

std::vector<std::string> abort_texts(const Profile& profile) {
  std::vector<std::string> texts;
  if (profile.aborts.empty()) return texts;
  lines::Lines lines(profile, pdb::symbol_folders());
  for (const Abort& abort : profile.aborts)
    texts.push_back(process_of(abort, profile) + abort_text(abort, profile, lines));
  return texts;
}

void write_aborts(const Profile& profile, const Options& options, std::ostream& out) {
  if (profile.aborts.empty()) return;
  lines::Lines lines(profile, pdb::symbol_folders());
  for (const Abort& abort : profile.aborts) {
    const std::string which = profile.processes.size() < 2 ? "The program" : process_of(abort, profile) + "it";
    write_note(fmt::format("{} ended {}, on thread {}.", which, abort_text(abort, profile, lines),
                           clean(thread_label(profile.threads[abort.thread]))),
               options, out);
    write_stack(abort.stack, profile, lines, options, out);
    if (abort.first_at != 0) {
      write_note("It rethrew an exception that was first thrown", options, out);
      write_stack(abort.first_at, profile, lines, options, out);
    }
    out << '\n';
  }
}

Json aborts_json(const Profile& profile) {
  Json json = Json::array();
  lines::Lines lines(profile, pdb::symbol_folders());
  for (const Abort& abort : profile.aborts) json.push_back(abort_json(abort, profile, lines));
  return json;
}

}  // namespace oriel::report
