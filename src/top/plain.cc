#include "top/plain.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/json_text.h"
#include "report/words/text.h"
#include "top/words.h"

namespace oriel::top {
namespace {

constexpr size_t kMethods = 5;    // that plain text shows
constexpr size_t kJsonRows = 50;  // of each table

using report::Json;

// Whatever a program's names are, JSON is valid UTF-8.
Json row_json(const Row& row, const Page& page) {
  Json json = {{"name", row.name}};
  if (!row.note.empty()) json["note"] = row.note;
  for (size_t i = 0; i < page.columns.size(); ++i) json[page.columns[i].key] = row.values[i];
  return json;
}

Json figures_json(const Figures& figures) {
  Json json;
  json["heap_bytes"] = figures.heap ? Json(*figures.heap) : Json();
  json["allocated_bytes"] = figures.allocated ? Json(*figures.allocated) : Json();
  Json& collections = json["collections"] = Json::object();
  for (const auto& [generation, rate] : figures.collections) collections[fmt::format("gen{}", generation)] = rate;
  json["paused"] = figures.paused;
  json["exceptions"] = figures.exceptions;
  json["waiting_threads"] = figures.waiting;
  json["lock_waits"] = figures.lock_waits;
  json["pool_queue"] = figures.pool_queue ? Json(*figures.pool_queue) : Json();
  json["requests"] = figures.requests;
  json["failed_requests"] = figures.failed_requests;
  return json;
}

}  // namespace

void write_plain(const View& view, const std::string& time, size_t width, std::ostream& out) {
  using report::cut_end;
  out << cut_end(fmt::format("{}  {}", time, fmt::join(title_parts(view), "   ")), width) << '\n';
  for (const HeadLine& line : head_lines(view))
    out << cut_end(fmt::format("  {:<10}  {}", line.label, line.text(width - std::min<size_t>(width, 14))), width)
        << '\n';
  const Page& page = view.page(PageId::kMethods);
  for (size_t i = 0; i < std::min(kMethods, page.rows.size()); ++i) {
    const std::string figure = cell_text(Unit::kPercent, page.rows[i].values[0]);
    if (figure.empty()) break;
    const std::string begin = report::pad_left(figure, 8) + " %  ";
    out << begin << report::fit_name(page.rows[i].name, width - std::min(width - 1, begin.size())) << '\n';
  }
  out << '\n';
}

void write_json(const View& view, int64_t unix_us, std::ostream& out) {
  const Window& window = view.window;
  Json json = {{"time", static_cast<double>(unix_us) / 1e6},
               {"pid", window.program.pid},
               {"program", window.program.name},
               {"seconds", window.seconds}};
  if (window.process) {
    json["cpu"] = window.process->cpu;
    json["resident_bytes"] = window.process->resident;
    json["threads"] = window.process->threads;
    json["pool_workers"] = window.process->pool_workers;
  }
  Json& shares = json["shares"] = Json::array();
  for (const Share& share : view.shares) shares.push_back({{"name", share.name}, {"part", share.part}});
  json.update(figures_json(view.figures));
  Json& tables = json["tables"] = Json::object();
  for (const Page& page : view.pages) {
    Json& rows = tables[page.title] = Json::array();
    for (size_t i = 0; i < std::min(kJsonRows, page.rows.size()); ++i) rows.push_back(row_json(page.rows[i], page));
  }
  out << report::json_text(json) << '\n';
}

}  // namespace oriel::top
