// What counters told over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/table/field.h"

namespace oriel::profile {

struct CounterSeries {
  struct Point {
    int64_t ns = 0;
    double value = 0;
  };
  std::string meter;
  std::string name;
  std::string unit;               // as the meter has it: "By", "s", "{request}"; "" if it tells none
  std::vector<std::string> tags;  // "gc.heap.generation=gen0"
  bool is_total = false;
  uint32_t process = 0;
  std::vector<Point> points;

  static constexpr auto described() {
    using namespace table;
    return describe(
        Order::kAsTold, Part::kRows, field<Kind::kText>("meter", &CounterSeries::meter, "who told of it"),
        field<Kind::kText>("name", &CounterSeries::name, "what was counted or measured"),
        field<Kind::kText>("unit", &CounterSeries::unit, "as the meter has it"),
        field<Kind::kTexts>("tags", &CounterSeries::tags, "what it is of"),
        field<Kind::kFlag>("total", &CounterSeries::is_total,
                           "the values are what was counted since the counter began; else what was measured"),
        field<Kind::kProcess>("process", &CounterSeries::process, "whose counter it is"),
        field<Kind::kPoints>("points", &CounterSeries::points, "its values, by time"));
  }
};

}  // namespace oriel::profile
