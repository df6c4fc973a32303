// Events of managed libraries' own event sources: values of meters (System.Diagnostics.Metrics) and of event counters
// (System.Diagnostics.Tracing), and stopped activities (System.Diagnostics.Activity).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oriel::coreclr {

// The filter arguments of these sources; names are separated by commas.
std::u16string meters_filter(const std::string& names);
std::u16string activities_filter(const std::string& sources);
// Those of the names that can be event sources with counters in this version of the runtime (0: not known).
std::vector<std::string> event_counter_sources(const std::string& names, uint16_t major);

// The limits that Oriel requests for the program's meters.
inline constexpr uint32_t kMostTimeSeries = 1000, kMostHistograms = 10;

// As oriel_event_counter_value and oriel_event_activity_stopped have them.
struct CounterValue {
  bool is_total = false;
  double value = 0;
  std::string name;
};
std::vector<CounterValue> read_meter_values(uint32_t event, std::span<const uint8_t> fields);
// Why the source of meters does not report some values.
enum class MetersRefused { kNone, kOurs, kTimeSeries, kHistograms };
MetersRefused read_meters_refused(uint32_t event, std::span<const uint8_t> fields);
// Such sources describe their events themselves and number them as they come, so events are recognized by the name in
// this description. `source` is the counter's source.
std::optional<CounterValue> read_event_counter(const std::string& source, std::span<const uint8_t> metadata,
                                               std::span<const uint8_t> fields);

struct StoppedActivity {
  uint64_t duration_ns = 0;
  std::string text;
};
// Whether another tool's request to that source caused the event: a process has only one DiagnosticSource session, the
// last.
bool is_for_another_tool(std::span<const uint8_t> metadata, std::span<const uint8_t> fields);
std::optional<StoppedActivity> read_activity(std::span<const uint8_t> metadata, std::span<const uint8_t> fields);

// Raise the events, on the thread that delivers them.
void deliver_meter_event(uint32_t event, std::span<const uint8_t> fields);
void deliver_event_counter(const std::string& source, std::span<const uint8_t> metadata,
                           std::span<const uint8_t> fields);
void deliver_activity(std::span<const uint8_t> metadata, std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
