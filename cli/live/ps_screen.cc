#include "live/ps_screen.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/redact/redact.h"
#include "base/text/path.h"
#include "base/text/shown_shell_word.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include "report/words/json_text.h"
#include "report/words/table.h"
#include "report/words/text.h"

namespace oriel::cli {
namespace {

using report::Json;
using report::Table;

std::string user_name(uid_t user) {
  const passwd* const entry = getpwuid(user);
  return entry ? entry->pw_name : std::to_string(user);
}

std::vector<std::string> shown_command(const diagnostics::Process& process) {
  return redacts() ? redact_command(process.command) : process.command;
}

std::string rid_of(const LiveProcess& live) { return live.info && *live.info ? (**live.info).rid : ""; }

// Which runtime it is stands in the way of attaching where it is not CoreCLR.
std::string runtime_cell(const LiveProcess& live) {
  const std::string version = live.version();
  return version.empty() ? runtime_name(live.runtime.kind) : version;
}

// What Oriel writes there: "Shop-4711.oriel, 1 more"; else what it has loaded.
std::string work_of(const Presence& oriel) {
  if (oriel.off) return "switched off";
  if (oriel.files.empty()) return oriel.modules.empty() ? "idle" : join(oriel.modules, ", ");
  const size_t more = oriel.files.size() - 1;
  return file_name(oriel.files[0]) + (more == 0 ? "" : fmt::format(", {} more", more));
}

std::string attach_text(const PsRow& row) {
  if (row.oriel.inside) return report::clean("Oriel: " + work_of(row.oriel));
  return row.obstacle.empty() ? "yes" : report::clean("no: " + row.obstacle);
}

struct PsColumn {
  Table::Column column;
  size_t most;  // columns of the terminal
  std::string (*cell)(const PsRow& row);
};

const PsColumn kPsColumns[] = {
    {{"pid"}, 7, [](const PsRow& row) { return std::to_string(row.live.process.pid); }},
    {{"user", Table::Align::kLeft},
     10,
     [](const PsRow& row) { return row.live.process.user == geteuid() ? "" : user_name(row.live.process.user); }},
    {{"up"}, 11, [](const PsRow& row) { return age_text(row.age_s); }},
    {{"runtime", Table::Align::kLeft}, 14, [](const PsRow& row) { return runtime_cell(row.live); }},
    {{"RID", Table::Align::kLeft}, 14, [](const PsRow& row) { return rid_of(row.live); }},
};

// The cells of a column; all empty: it is left out.
std::vector<std::string> cells_of(const PsColumn& column, const std::vector<PsRow>& rows) {
  std::vector<std::string> cells;
  for (const PsRow& row : rows) cells.push_back(report::cut_middle(report::clean(column.cell(row)), column.most));
  return cells;
}

size_t widest(const std::vector<std::string>& cells) {
  size_t width = 0;
  for (const std::string& cell : cells) width = std::max(width, report::display_width(cell));
  return width;
}

std::string command_line(const diagnostics::Process& process) {
  std::vector<std::string> words = shown_command(process);
  for (std::string& word : words) word = shown_shell_word(word);
  return report::clean(join(words, " "));
}

Json valid_texts(std::vector<std::string> texts) {
  for (std::string& text : texts) make_valid_utf8(text);
  return texts;
}

Json text_or_null(std::string text) {
  make_valid_utf8(text);
  return text.empty() ? Json() : Json(text);
}

Json json_of_process(const PsRow& row) {
  const LiveProcess& live = row.live;
  Json json;
  json["pid"] = live.process.pid;
  json["pid_in_namespace"] = live.process.own_pid;
  json["user"] = user_name(live.process.user);
  json["command"] = valid_texts(shown_command(live.process));
  json["runtime"] = text_or_null(runtime_name(live.runtime.kind));
  json["version"] = text_or_null(live.version());
  json["rid"] = text_or_null(rid_of(live));
  json["uptime_s"] = row.age_s;
  json["oriel"] = nullptr;
  if (row.oriel.inside)
    json["oriel"] = {{"modules", valid_texts(row.oriel.modules)}, {"files", valid_texts(row.oriel.files)}};
  json["attachable"] = row.obstacle.empty();
  json["obstacle"] = text_or_null(row.obstacle);
  const bool has_port = live.place.state == diagnostics::PortState::kThere && !live.place.port.name.empty();
  json["socket"] = has_port ? text_or_null(live.place.port.path()) : Json();
  return json;
}

}  // namespace

void write_ps_text(const std::vector<PsRow>& rows, const report::Options& display, std::ostream& out) {
  if (rows.empty()) {
    out << "No .NET processes.\n";
    return;
  }
  constexpr size_t kGap = 2, kLeastCommand = 14, kLeastAttach = 12, kMostAttach = 40;
  std::vector<Table::Column> columns;
  std::vector<std::vector<std::string>> cells(rows.size());
  size_t taken = kGap + kLeastCommand;
  for (const PsColumn& column : kPsColumns) {
    std::vector<std::string> of_column = cells_of(column, rows);
    if (widest(of_column) == 0) continue;
    taken += std::max(widest(of_column), column.column.title.size()) + kGap;
    columns.push_back(column.column);
    for (size_t i = 0; i < rows.size(); ++i) cells[i].push_back(std::move(of_column[i]));
  }
  columns.push_back({"attach", Table::Align::kLeft});
  const size_t left = display.width > taken ? display.width - taken : 0;
  const size_t most_attach = std::clamp(left, kLeastAttach, kMostAttach);
  Table table(columns, "command");
  for (size_t i = 0; i < rows.size(); ++i) {
    cells[i].push_back(report::cut_middle(attach_text(rows[i]), most_attach));
    table.add(std::move(cells[i]), [command = command_line(rows[i].live.process)](size_t width) {
      return report::cut_middle(command, width);
    });
  }
  table.write(out, display.width, 0, report::Style(display.color));
}

void write_ps_json(const std::vector<PsRow>& rows, std::ostream& out) {
  Json json = Json::array();
  for (const PsRow& row : rows) json.push_back(json_of_process(row));
  out << report::json_text(json, 2) << '\n';
}

std::string age_text(int64_t seconds) {
  const int64_t minutes = seconds / 60, hours = minutes / 60;
  if (hours >= 48) return fmt::format("{} d {} h", hours / 24, hours % 24);
  if (hours > 0) return fmt::format("{} h {:02} min", hours, minutes % 60);
  return minutes > 0 ? fmt::format("{} min", minutes) : fmt::format("{} s", seconds);
}

}  // namespace oriel::cli
