#include "runtimes/coreclr/callbacks/managed_event_sources.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <string_view>

#include "base/fnv1a.h"
#include "base/redact/redact.h"
#include "base/text/decimal.h"
#include "base/text/utf16.h"
#include "base/text/utf8.h"
#include "base/text/words.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/event_fields.h"

namespace oriel::coreclr {
namespace {

// Event numbers of System.Diagnostics.Metrics.
constexpr uint32_t kCounter = 4, kGauge = 5, kHistogram = 6, kUpDownCounter = 16;
constexpr uint32_t kTooManySeries = 12, kTooManyHistograms = 13, kOtherSession = 15, kOtherLimits = 17;

// The session's and the client's name, as given to that source.
constexpr std::string_view kSession = "SHARED", kClient = "oriel";

// The name in an event's description, which begins with a number (32 bits) and the name.
std::string event_name(std::span<const uint8_t> metadata) {
  uint32_t number = 0;
  std::string name;
  return read(metadata, number) && read_text(metadata, name) ? name : "";
}

// A log limits the length of a text. The cut-off part is replaced by a hash, so that long names stay different.
std::string that_fits(const std::string& name) {
  constexpr size_t kMost = 255, kDigits = 16;
  if (name.size() <= kMost) return name;
  const uint64_t hash = fnv1a(name);
  std::string tail = "…";
  for (size_t digit = kDigits; digit-- > 0;) tail += "0123456789abcdef"[hash >> (4 * digit) & 0xf];
  return name.substr(0, utf8_end(name, kMost - tail.size())) + tail;
}

// Turns a text of several lines into one line, without tabs: these separate parts.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) > ' ') {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

// name=value, separated by tabs, with the usual secrets redacted.
std::string text_of(std::vector<Tag> tags) {
  if (redacts()) redact_tags(tags);
  std::string text;
  for (const Tag& tag : tags)
    text.append(text.empty() ? "" : "\t").append(one_line(tag.name)).append("=").append(one_line(tag.value));
  return text;
}

// Meter, instrument, unit and tags; `tags` has the form "a=b,c=d".
std::string name_of(const std::string& meter, const std::string& instrument, const std::string& unit,
                    std::string_view first_tag, std::string_view tags) {
  std::string name = meter + '\t' + instrument + '\t' + unit;
  if (!first_tag.empty()) name.append("\t").append(first_tag);
  std::vector<Tag> told = tags_of_list(tags);
  return that_fits(name.append(told.empty() ? "" : "\t").append(text_of(std::move(told))));
}

// Whether a pair, "key, value", begins here. Text between brackets in a value may look like one, such as the columns of
// a query: "[key, SELECT [a],[b] FROM t],[key, value]".
bool begins_pair(std::string_view text) {
  constexpr size_t kLongest = 200;
  const size_t comma = text.substr(0, kLongest).find(", ");
  return comma != text.npos && comma != 0 && std::ranges::none_of(text.substr(0, comma), [](char c) {
           return static_cast<unsigned char>(c) <= ' ' || c == '\'' || c == '"' || c == '[' || c == ']';
         });
}

// The end of the value at the text's start: the position of its closing bracket. A value with unbalanced brackets
// extends over what follows.
size_t end_of_value(std::string_view text) {
  constexpr std::string_view kBetween = "],[";
  int64_t open = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (open <= 0 && text.substr(at, kBetween.size()) == kBetween && begins_pair(text.substr(at + kBetween.size())))
      return at;
    open += text[at] == '[' ? 1 : 0;
    open -= text[at] == ']' ? 1 : 0;
  }
  return text.size() - (text.ends_with(']') ? 1 : 0);
}

// Parses "[key, value],[key, value]".
std::vector<Tag> tags_of(std::string_view pairs) {
  std::vector<Tag> tags;
  while (pairs.starts_with('[')) {
    pairs.remove_prefix(1);
    const size_t comma = std::min(pairs.find(", "), pairs.size());
    Tag tag{std::string(pairs.substr(0, comma)), ""};
    pairs.remove_prefix(std::min(comma + 2, pairs.size()));
    const size_t end = end_of_value(pairs);
    tag.value = pairs.substr(0, end);
    tags.push_back(std::move(tag));
    pairs.remove_prefix(std::min(end + 2, pairs.size()));
  }
  return tags;
}

// A log keeps some 150 bytes of a name. The columns of a query say least about which query it is, so they are left out.
std::string brief_name(const std::string& name) {
  constexpr size_t kLong = 100;
  constexpr std::string_view kSelect = "SELECT ", kFrom = " FROM ";
  std::string line = one_line(name);
  const size_t from = line.find(kFrom);
  if (line.size() > kLong && line.starts_with(kSelect) && from != std::string::npos)
    line.replace(kSelect.size(), from - kSelect.size(), "…");
  return line;
}

// The fields that ASP.NET Core's listener has at the end of a request. The request's activity has only its times.
std::string requests_spec() {
  std::string specs;
  for (const std::string end : {"EndRequest", "UnhandledException"})
    specs += "\nMicrosoft.AspNetCore/Microsoft.AspNetCore.Hosting." + end +
             ":-Method=httpContext.Request.Method;Path=httpContext.Request.Path;Code=httpContext.Response.StatusCode;"
             "Route=httpContext.Request.RouteValues.*Enumerate;DurationTicks=*Activity.Duration.Ticks;"
             "TraceId=*Activity.TraceId;SpanId=*Activity.SpanId;ParentSpanId=*Activity.ParentSpanId";
  return specs;
}

// The fields that Entity Framework Core's listener has after a database command, for which it creates no activity.
constexpr std::string_view kCommands =
    "\nMicrosoft.EntityFrameworkCore/Microsoft.EntityFrameworkCore.Database.Command.CommandExecuted:-"
    "DisplayName=Command.CommandText;DurationTicks=Duration.Ticks;TraceId=*Activity.TraceId;"
    "ParentSpanId=*Activity.SpanId";

}  // namespace

// The same limits as dotnet-counters requests, because sessions that share the source must agree on them.
std::u16string meters_filter(const std::string& names) {
  return utf16_of("SessionId=" + std::string(kSession) + ";ClientId=" + std::string(kClient) +
                  ";RefreshInterval=1;MaxTimeSeries=" + std::to_string(kMostTimeSeries) +
                  ";MaxHistograms=" + std::to_string(kMostHistograms) + ";Metrics=" + names);
}

std::vector<std::string> event_counter_sources(const std::string& names, uint16_t major) {
  std::vector<std::string> sources = split(names, ',');
  // The runtime's own meter, new in .NET 9, has the counters of the event source of the same name.
  constexpr uint16_t kHasMeter = 9;
  const bool has_meter = major == 0 || major >= kHasMeter;
  std::erase_if(sources, [&](const std::string& name) {
    return name.find_first_of("*\\") != std::string::npos || (name == "System.Runtime" && has_meter);
  });
  return sources;
}

std::u16string activities_filter(const std::string& sources) {
  std::string specs;
  for (const std::string& source : split(sources, ',')) {
    specs.append(specs.empty() ? "" : "\n").append("[AS]").append(source);
    specs +=
        "/Stop-Record:-TraceId;SpanId;ParentSpanId;DisplayName;Status;DurationTicks=Duration.Ticks;"
        "Tags=TagObjects.*Enumerate";
    if (source == "*" || source == "Microsoft.AspNetCore") specs += requests_spec();
    if (source == "*" || source == "Microsoft.EntityFrameworkCore") specs += kCommands;
  }
  return utf16_of("FilterAndPayloadSpecs=\"" + specs + "\"");
}

// Payload: session, meter, its version, instrument, unit, tags, all texts; then for a counter its rate and its total,
// for a gauge its value, for a histogram "0.5=12;0.95=31", the number of values (32 bits) and their sum.
std::vector<CounterValue> read_meter_values(uint32_t event, std::span<const uint8_t> fields) {
  if (event != kCounter && event != kGauge && event != kHistogram && event != kUpDownCounter) return {};
  std::string session, meter, version, instrument, unit, tags, first, second;
  for (std::string* const text : {&session, &meter, &version, &instrument, &unit, &tags, &first})
    if (!read_text(fields, *text)) return {};
  std::vector<CounterValue> values;
  const auto add = [&](bool is_total, std::string_view number, std::string_view first_tag) {
    if (const auto value = whole_decimal(number))
      values.push_back({is_total, *value, name_of(meter, instrument, unit, first_tag, tags)});
  };
  if (event == kGauge) add(false, first, "");
  if ((event == kCounter || event == kUpDownCounter) && read_text(fields, second)) add(event == kCounter, second, "");
  if (event != kHistogram) return values;
  for (const std::string& quantile : split(first, ';')) {
    std::string_view value = quantile;
    const auto part = whole_decimal(cut(value, '='));
    if (part) add(false, value, "Percentile=" + std::to_string(static_cast<int>(std::lround(*part * 100))));
  }
  return values;
}

// The first field names the session: the one that runs, or the one that was refused.
MetersRefused read_meters_refused(uint32_t event, std::span<const uint8_t> fields) {
  std::string whose;
  if (!read_text(fields, whose)) return MetersRefused::kNone;
  if (event == kOtherSession && whose != kSession) return MetersRefused::kOurs;
  if (event == kOtherLimits && whose == kClient) return MetersRefused::kOurs;
  if (event == kTooManySeries && whose == kSession) return MetersRefused::kTimeSeries;
  if (event == kTooManyHistograms && whose == kSession) return MetersRefused::kHistograms;
  return MetersRefused::kNone;
}

// Payload: name and display name, texts. For a counter of values: mean, deviation (doubles), number (32 bits), minimum,
// maximum (doubles), seconds (32 bits, a float), then texts, the second "Mean". For an incrementing counter: "" or its
// display name, the increment (a double), seconds (a float), then texts, the third "Sum". The last is the unit.
std::optional<CounterValue> read_event_counter(const std::string& source, std::span<const uint8_t> metadata,
                                               std::span<const uint8_t> fields) {
  std::string name, shown, text, kind, unit;
  if (event_name(metadata) != "EventCounters") return std::nullopt;
  if (!read_text(fields, name) || !read_text(fields, shown)) return std::nullopt;
  const auto told = [&](double value, const std::string& its_unit) {
    return CounterValue{false, value, name_of(source, shown.empty() ? name : shown, its_unit, "", "")};
  };
  std::span<const uint8_t> rest = fields;
  double value = 0, deviation = 0, least = 0, most = 0;
  int32_t count = 0;
  float seconds = 0;
  if (read(rest, value) && read(rest, deviation) && read(rest, count) && read(rest, least) && read(rest, most) &&
      read(rest, seconds) && read_text(rest, text) && read_text(rest, kind) && kind == "Mean" &&
      read_text(rest, text) && read_text(rest, unit)) {
    return told(value, unit);
  }
  rest = fields;
  if (read_text(rest, text) && read(rest, value) && read(rest, seconds) && read_text(rest, text) &&
      read_text(rest, text) && read_text(rest, kind) && kind == "Sum" && read_text(rest, unit) && seconds > 0) {
    return told(value / seconds, unit.empty() ? "/s" : unit + "/s");
  }
  return std::nullopt;
}

// "/orders/{id}" from the path /orders/7 and the route values "[id, 7]".
std::string route_of(std::string_view path, std::string_view values) {
  std::map<std::string, std::string> name_of_value;
  for (const auto& [name, value] : tags_of(values)) {
    // These select a path and are not parts of it.
    if (name != "controller" && name != "action" && name != "area" && name != "page")
      name_of_value.emplace(value, name);
  }
  std::string route;
  for (const std::string& segment : split(path, '/')) {
    const auto named = name_of_value.find(segment);
    route += "/" + (named == name_of_value.end() ? segment : "{" + named->second + "}");
  }
  return route.empty() ? "/" : route;
}

// The payload of the source of activities: source and name, texts; the number of pairs (16 bits), and these, texts.
struct ActivityPayload {
  std::string source;
  std::string name;
  std::map<std::string, std::string> pairs;
};

// The tags by which OpenTelemetry's conventions name the fields of requests_spec(). A log may cut off the last.
std::vector<Tag> request_tags(std::map<std::string, std::string>& pairs) {
  return {{"http.request.method", pairs["Method"]},
          {"http.response.status_code", pairs["Code"]},
          {"http.route", route_of(pairs["Path"], pairs["Route"])},
          {"url.path", pairs["Path"]}};
}

// An activity's title. Of the listeners, only Entity Framework Core's has one: the whole command.
std::string title_of(const std::string& event, const ActivityPayload& told, const std::vector<Tag>& tags) {
  const auto shown = told.pairs.find("DisplayName");
  const std::string& title = shown == told.pairs.end() || shown->second.empty() ? told.name : shown->second;
  if (!redacts()) return brief_name(title);
  return brief_name(event == "Event" ? redact_sql(title) : redact_title(title, tags));
}

std::optional<ActivityPayload> read_activity_payload(std::span<const uint8_t> fields) {
  ActivityPayload told;
  uint16_t count = 0;
  if (!read_text(fields, told.source) || !read_text(fields, told.name) || !read(fields, count)) return std::nullopt;
  for (uint16_t i = 0; i < count; ++i) {
    std::string key, value;
    if (!read_text(fields, key) || !read_text(fields, value)) return std::nullopt;
    told.pairs[key] = std::move(value);
  }
  return told;
}

// The events that Oriel requests have a duration, unless there is no activity, and are never a begin.
bool is_for_another_tool(std::span<const uint8_t> metadata, std::span<const uint8_t> fields) {
  const std::string event = event_name(metadata);
  if (event == "ActivityStart") return true;
  if (event != "ActivityStop" && event != "Event") return false;
  const auto told = read_activity_payload(fields);
  if (!told || told->pairs.contains("DurationTicks")) return false;
  return event == "ActivityStop" || !told->pairs.contains("Method");
}

std::optional<StoppedActivity> read_activity(std::span<const uint8_t> metadata, std::span<const uint8_t> fields) {
  const std::string event = event_name(metadata);
  if (event != "ActivityStop" && event != "Event") return std::nullopt;  // "Event" is used by listeners
  auto told = read_activity_payload(fields);
  if (!told) return std::nullopt;
  std::map<std::string, std::string>& pairs = told->pairs;
  const auto ticks = whole_decimal(pairs["DurationTicks"]);
  constexpr uint64_t kNsOfTick = 100;
  constexpr double kMostTicks = 1e16;
  if (!ticks || *ticks < 0 || *ticks > kMostTicks) return std::nullopt;
  StoppedActivity activity;
  activity.duration_ns = static_cast<uint64_t>(*ticks) * kNsOfTick;
  const bool is_request = pairs.contains("Method");  // its tags say more than "EndRequest"
  std::vector<Tag> tags = is_request ? request_tags(pairs) : tags_of(pairs["Tags"]);
  const std::string name = is_request ? "" : title_of(event, *told, tags);
  for (const std::string& part :
       {pairs["TraceId"], pairs["SpanId"], pairs["ParentSpanId"], pairs["Status"], told->source, name})
    activity.text.append(part).append("\t");
  activity.text += text_of(std::move(tags));
  return activity;
}

// Reports each refusal once. In a log, exceeded limits are recorded as counters.
void meters_refused(MetersRefused what) {
  static std::atomic<bool> said[static_cast<size_t>(MetersRefused::kHistograms) + 1];
  if (said[static_cast<size_t>(what)].exchange(true)) return;
  switch (what) {
    case MetersRefused::kTimeSeries:
      warn(
          "the program's meters have more than 1,000 time series, one for each set of tags: the others are not logged");
      return raise_counter_value(false, kMostTimeSeries, "Oriel\ttime series at most");
    case MetersRefused::kHistograms:
      warn("the program's meters have more than 10 histograms, one for each set of tags: the others are not logged");
      return raise_counter_value(false, kMostHistograms, "Oriel\thistograms at most");
    case MetersRefused::kOurs:
      return warn("another tool listens to the program's meters and cannot share them: they are not logged");
    case MetersRefused::kNone:
      return;
  }
}

void deliver_meter_event(uint32_t event, std::span<const uint8_t> fields) {
  if (const MetersRefused what = read_meters_refused(event, fields); what != MetersRefused::kNone)
    return meters_refused(what);
  for (const CounterValue& told : read_meter_values(event, fields))
    raise_counter_value(told.is_total, told.value, told.name.c_str());
}

void deliver_event_counter(const std::string& source, std::span<const uint8_t> metadata,
                           std::span<const uint8_t> fields) {
  if (const auto told = read_event_counter(source, metadata, fields))
    raise_counter_value(told->is_total, told->value, told->name.c_str());
}

void deliver_activity(std::span<const uint8_t> metadata, std::span<const uint8_t> fields) {
  if (is_for_another_tool(metadata, fields)) {
    static std::atomic<bool> said{false};
    if (!said.exchange(true))
      warn("another tool listens to the program's activities, as only one at a time can: some are not logged");
  } else if (const auto activity = read_activity(metadata, fields)) {
    raise_activity_stopped(activity->duration_ns, activity->text.c_str());
  }
}

}  // namespace oriel::coreclr
