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
        Order::kAsTold, Part::kRows, field<Kind::kText>("meter", &CounterSeries::meter, "what reported it"),
        field<Kind::kText>("name", &CounterSeries::name, "what was counted or measured"),
        field<Kind::kText>("unit", &CounterSeries::unit, "the meter's unit"),
        field<Kind::kTexts>("tags", &CounterSeries::tags, "its tags"),
        field<Kind::kFlag>("total", &CounterSeries::is_total,
                           "the values are totals since the counter started; otherwise they are measurements"),
        field<Kind::kProcess>("process", &CounterSeries::process, "whose counter it is"),
        field<Kind::kPoints>("points", &CounterSeries::points, "its values over time"));
  }
};

}  // namespace oriel::profile
