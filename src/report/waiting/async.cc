#include "report/waiting/async.h"

#include <fmt/format.h>

#include <algorithm>

#include "profile/recorded.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::AsyncMethod;
using profile::AwaitPlace;
using profile::Profile;

namespace {

constexpr size_t kAsyncRows = 15;
constexpr uint32_t kAwaitParts = 60;
// Calls and their waits are of no one thread.
constexpr FilteredBy kAsyncFilteredBy = {.time = true, .thread = false, .method = true};

int64_t average(int64_t ns, uint64_t times) { return times == 0 ? 0 : ns / static_cast<int64_t>(times); }
std::string number_cell(uint64_t number) { return number == 0 ? "" : count(number); }

// "Task.Delay"; a property getter without "get_": TaskCompletionSource.Task.
std::string brief(const std::string& awaited) {
  const size_t dot = awaited.rfind('.');
  const size_t before = dot == std::string::npos || dot == 0 ? dot : awaited.rfind('.', dot - 1);
  std::string text = before == std::string::npos ? awaited : awaited.substr(before + 1);
  constexpr std::string_view kGetter = ".get_";
  if (const size_t getter = text.find(kGetter); getter != std::string::npos) text.replace(getter, kGetter.size(), ".");
  return clean(text);
}

// "  Task.Delay, for Shop.Cart.Add(int)  Cart.cs:42"
std::string what_text(const ShownAwait& await, const Profile& profile, size_t width) {
  std::string text = await.awaited.empty() ? "" : "  " + brief(await.awaited);
  if (await.awaited_by.function == 0) return cut_end(text, width);
  text += text.empty() ? "  for " : ", for ";
  const size_t room = width > display_width(text) ? width - display_width(text) : 1;
  return text + fit_at_line(profile.functions[await.awaited_by.function], await.awaited_by.line.text, room);
}

void write_awaits(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<ShownAwait> all = shown_awaits(profile, options);
  if (all.empty())
    return write_note(is_part(profile, kAsyncFilteredBy) ? "No async method had to wait in this part of the log."
                                                         : "No async method had to wait.",
                      options, out);
  Table table({{"awaited"}, {"times"}, {"average"}, {"longest"}, {"open"}},
              "where your code awaits, what, and for whom");
  const size_t shown = std::min(rows(options, kAsyncRows), all.size());
  for (size_t i = 0; i < shown; ++i) {
    const ShownAwait& await = all[i];
    const AwaitPlace& figures = await.figures;
    table.add(
        {duration(figures.ns), count(figures.times), duration(average(figures.ns, figures.times)),
         duration(figures.longest_ns), number_cell(figures.open)},
        [&](size_t width) { return fit_at_line(profile.functions[await.at.function], await.at.line.text, width); });
    if (await.awaited_by.function != 0 || !await.awaited.empty())
      table.add({"", "", "", "", ""}, [&](size_t width) { return what_text(await, profile, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < all.size())
    write_note(fmt::format("And {}; --limit shows more.", counted(all.size() - shown, "more place", "more places")),
               options, out);
}

std::string ends_text(const AsyncMethod& method) {
  std::string text;
  const auto add = [&](uint64_t number, const char* word) {
    if (number != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count(number), word);
  };
  add(method.failed, "failed");
  add(method.cancelled, "cancelled");
  add(method.open, "open");
  add(method.calls - method.timed, "begun before the log");
  return text;
}

void write_methods(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<AsyncMethod> all = profile::async_methods(profile);
  if (all.empty()) return write_note("No calls of async methods in this part of the log.", options, out);
  Table table({{"total"}, {"calls"}, {"average"}, {"longest"}, {"ran"}, {"awaited"}, {"of which", Table::Align::kLeft}},
              "async method");
  const size_t shown = std::min(rows(options, kAsyncRows), all.size());
  for (size_t i = 0; i < shown; ++i) {
    const AsyncMethod& method = all[i];
    table.add({duration(method.ns), count(method.calls), duration(method.average_ns()), duration(method.longest_ns),
               duration(method.ran_ns), duration(method.awaited_ns), ends_text(method)},
              [&](size_t width) { return fit_function(profile.functions[method.function], width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < all.size())
    write_note(fmt::format("And {}; --limit shows more.", counted(all.size() - shown, "more method", "more methods")),
               options, out);
}

// "At most 64 at once: ▁▂▇▇▃"
std::string flight_text(const Profile& profile) {
  const profile::InFlight flight = profile::in_flight(profile, kAwaitParts);
  const uint64_t most = std::ranges::max(flight.most);
  if (most == 0) return "";
  std::string text = fmt::format("In flight: at most {} at once, ", count(most));
  text += fmt::format("{} at the end of the log. Over the run: ", count(flight.at_end));
  return text + bars(std::vector<double>(flight.most.begin(), flight.most.end()));
}

void write_async(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("Async methods", profile, options, out, profile::Unit::kPeriods, kAsyncFilteredBy);
  if (profile.async_calls.empty())
    return write_note(std::string("No calls of async methods in this log: ") +
                          (profile::is_of_mono(profile) ? "Oriel does not log them on Mono."
                                                        : "run the program with `oriel run --async`."),
                      options, out);
  write_awaits(profile, options, out);
  out << '\n';
  write_methods(profile, options, out);
  if (const std::string text = flight_text(profile); !text.empty()) {
    out << '\n';
    write_note(text, options, out);
  }
}

Json await_json(const ShownAwait& await, const Profile& profile) {
  const AwaitPlace& figures = await.figures;
  Json json = {{"ns", figures.ns},
               {"times", figures.times},
               {"longest_ns", figures.longest_ns},
               {"open", figures.open},
               {"awaited", await.awaited}};
  add_place(await.at, profile, json);
  if (await.awaited_by.function != 0) {
    json["awaited_by"] = Json::object();
    add_place(await.awaited_by, profile, json["awaited_by"]);
  }
  return json;
}

Json async_method_json(const AsyncMethod& method, const Profile& profile) {
  Json json = {{"calls", method.calls},           {"timed", method.timed},   {"failed", method.failed},
               {"cancelled", method.cancelled},   {"open", method.open},     {"ns", method.ns},
               {"longest_ns", method.longest_ns}, {"ran_ns", method.ran_ns}, {"awaited_ns", method.awaited_ns}};
  add_function(json, profile.functions[method.function]);
  return json;
}

void async_json(const Profile& profile, const Options& options, Json& json) {
  const size_t most = rows(options, SIZE_MAX);
  json["awaits"] = Json::array();
  json["methods"] = Json::array();
  for (const ShownAwait& await : shown_awaits(profile, options))
    if (json["awaits"].size() < most) json["awaits"].push_back(await_json(await, profile));
  for (const AsyncMethod& method : profile::async_methods(profile))
    if (json["methods"].size() < most) json["methods"].push_back(async_method_json(method, profile));
  const profile::InFlight flight = profile::in_flight(profile, kAwaitParts);
  json["in_flight"] = {{"most", flight.most}, {"at_end", flight.at_end}};
}

}  // namespace

std::vector<ShownAwait> shown_awaits(const Profile& profile, const Options& options) {
  ShownPlaces places(profile, options);
  std::vector<ShownAwait> all;
  for (const AwaitPlace& figures : profile::await_places(profile)) {
    if (figures.of_calls && figures.open == 0) continue;
    const profile::Node& node = profile.nodes[figures.node];
    const auto awaited = profile.awaited.find(profile.places.positions[node.position]);
    all.push_back({figures, places.of(figures.node), places.of(node.parent),
                   awaited == profile.awaited.end() ? "" : awaited->second});
  }
  return all;
}

std::string awaits_text(const Profile& profile, const Options& options) {
  const std::vector<ShownAwait> all = shown_awaits(profile, options);
  if (all.empty()) return "";
  int64_t ns = 0;
  uint64_t times = 0;
  for (const ShownAwait& await : all) {
    ns += await.figures.ns;
    times += await.figures.times;
  }
  const ShownAwait& first = all.front();
  std::string text = fmt::format("{} in {}, {} of it in {}", duration(ns), counted(times, "await", "awaits"),
                                 percent(positive(first.figures.ns), positive(ns)), place_text(first.at, profile));
  if (!first.awaited.empty()) text += fmt::format(", which awaits {}", brief(first.awaited));
  return text;
}

extern const Report kAsyncReport = {
    .name = "async",
    .help = "async methods: what they await, for how long, and what never completes",
    .text = write_async,
    .json = async_json,
};

}  // namespace oriel::report
