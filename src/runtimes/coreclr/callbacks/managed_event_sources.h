// What managed libraries tell by event sources of their own: values of meters (System.Diagnostics.Metrics) and of event
// counters (System.Diagnostics.Tracing), and activities that are over (System.Diagnostics.Activity).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace oriel::coreclr {

// What these sources are asked by, of names with commas between them.
std::u16string meters_filter(const std::string& names);
std::u16string activities_filter(const std::string& sources);
// Of such names those that an event source may have that counts, in this version of the runtime; 0: not known.
std::vector<std::string> event_counter_sources(const std::string& names, uint16_t major);

// So many the program's meters are asked for at most.
inline constexpr uint32_t kMostTimeSeries = 1000, kMostHistograms = 10;

// As oriel_event_counter_value and oriel_event_activity_stopped have them.
struct CounterValue {
  bool is_total = false;
  double value = 0;
  std::string name;
};
std::vector<CounterValue> read_meter_values(uint32_t event, std::span<const uint8_t> fields);
// What an event of the meters' source says that is not told.
enum class MetersRefused { kNone, kOurs, kTimeSeries, kHistograms };
MetersRefused read_meters_refused(uint32_t event, std::span<const uint8_t> fields);
// Events of sources that describe themselves are told apart by the name in this description: their numbers are made as
// they come. `source` is that of the counter.
std::optional<CounterValue> read_event_counter(const std::string& source, std::span<const uint8_t> metadata,
                                               std::span<const uint8_t> fields);

struct StoppedActivity {
  uint64_t duration_ns = 0;
  std::string text;
};
// Whether it is what another tool asked that source for: a process has one such wish, the last.
bool is_for_another_tool(std::span<const uint8_t> metadata, std::span<const uint8_t> fields);
std::optional<StoppedActivity> read_activity(std::span<const uint8_t> metadata, std::span<const uint8_t> fields);

// On whichever thread tells of it: raise the events.
void meter_told(uint32_t event, std::span<const uint8_t> fields);
void event_counter_told(const std::string& source, std::span<const uint8_t> metadata, std::span<const uint8_t> fields);
void activity_told(std::span<const uint8_t> metadata, std::span<const uint8_t> fields);

}  // namespace oriel::coreclr
