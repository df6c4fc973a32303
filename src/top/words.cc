#include "top/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::top {
namespace {

std::string number(double value) {
  if (value < 9.95) return fmt::format("{:.1f}", value);
  return report::rounded_count(static_cast<uint64_t>(std::llround(value)));
}

std::string bytes_of(double value) { return report::bytes(static_cast<uint64_t>(std::max(0.0, std::round(value)))); }

std::string percent_of(double part) { return fmt::format("{:.{}f} %", part * 100, part < 0.0995 ? 1 : 0); }

std::string threads(uint32_t count) { return report::counted(count, "thread", "threads"); }

using Parts = std::vector<std::string>;

Parts cpu_parts(const View& view) {
  constexpr double kLeast = 0.005;
  Parts parts;
  for (const Share& share : view.shares)
    if (share.part >= kLeast) parts.push_back(fmt::format("{:.0f} % {}", share.part * 100, share.name));
  return parts;
}

Parts memory_parts(const Figures& figures) {
  Parts parts;
  if (figures.heap) parts.push_back("heap " + report::bytes(*figures.heap));
  if (figures.allocated) parts.push_back(bytes_of(*figures.allocated) + "/s allocated");
  const char* begin = "GC ";
  for (const auto& [generation, rate] : figures.collections) {
    parts.push_back(fmt::format("{}{}/s of gen {}", begin, number(rate), generation));
    begin = "";
  }
  if (figures.paused >= 0.0005) parts.push_back("paused " + percent_of(figures.paused));
  return parts;
}

Parts wait_parts(const Figures& figures) {
  constexpr double kLeast = 0.05;
  Parts parts;
  for (const auto& [what, count] : figures.waits)
    if (count >= kLeast) parts.push_back(fmt::format("{} {}", number(count), what));
  if (!parts.empty()) parts[0] = fmt::format("{} threads: {}", number(figures.waiting), parts[0]);
  return parts;
}

Parts pool_parts(const View& view) {
  Parts parts;
  const auto& process = view.window.process;
  if (process && process->pool_workers > 0)
    parts.push_back(report::counted(process->pool_workers, "worker", "workers"));
  if (view.figures.pool_wants) parts.push_back(fmt::format("wants {}", *view.figures.pool_wants));
  if (view.figures.pool_queue) parts.push_back(fmt::format("{} queued", number(*view.figures.pool_queue)));
  return parts;
}

Parts request_parts(const Figures& figures) {
  if (figures.requests == 0) return {};
  Parts parts = {number(figures.requests) + "/s",
                 "95 % of the heaviest kind below " + report::duration(figures.request_p95_ns)};
  if (figures.failed_requests > 0) parts.push_back(number(figures.failed_requests) + "/s failed");
  return parts;
}

}  // namespace

std::string cell_text(Unit unit, double value) {
  if (value <= 0 && unit != Unit::kNumber) return "";
  switch (unit) {
    case Unit::kPercent:
      return value < 0.05 ? "<0.1" : fmt::format("{:.1f}", value);
    case Unit::kPerSecond:
      return number(value);
    case Unit::kThreads:
      return value < 0.005 ? "<0.01" : fmt::format("{:.2f}", value);
    case Unit::kBytesPerSecond:
      return bytes_of(value);
    case Unit::kSeconds:
      return report::duration(std::llround(value * 1e9));
    case Unit::kCount:
    case Unit::kNumber:
      return fmt::format("{:.0f}", value);
  }
  return "";
}

std::vector<std::string> title_parts(const View& view) {
  const Window& window = view.window;
  std::vector<std::string> parts = {
      fmt::format("{} ({}), up {}", report::clean(window.program.name), window.program.pid,
                  report::duration(std::max<int64_t>(window.program.age_s, 0) * 1'000'000'000))};
  if (!window.process) return parts;
  parts.push_back("CPU " + percent_of(window.process->cpu));
  if (window.process->threads > 0) parts.push_back(threads(window.process->threads));
  if (window.process->resident > 0) parts.push_back(report::bytes(window.process->resident));
  return parts;
}

std::string HeadLine::text(size_t width) const {
  std::string all;
  for (const std::string& part : parts) {
    const std::string with = all.empty() ? part : all + ", " + part;
    if (!all.empty() && report::display_width(with) > width) break;
    all = with;
  }
  return report::cut_end(all, width);
}

std::vector<HeadLine> head_lines(const View& view) {
  const Figures& figures = view.figures;
  std::vector<HeadLine> lines = {
      {"CPU", cpu_parts(view)}, {"Memory", memory_parts(figures)}, {"Waits", wait_parts(figures)}};
  if (figures.lock_waits > 0) lines.push_back({"Locks", {number(figures.lock_waits) + " contended a second"}});
  if (figures.exceptions > 0)
    lines.push_back({"Exceptions", {number(figures.exceptions) + "/s", "most " + figures.exception}});
  lines.push_back({"Pool", pool_parts(view)});
  lines.push_back({"Requests", request_parts(figures)});
  std::erase_if(lines, [](const HeadLine& line) { return line.parts.empty(); });
  return lines;
}

}  // namespace oriel::top
