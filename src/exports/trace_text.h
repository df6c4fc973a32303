// Times and numbers in traces of text.
#pragma once

#include <cstdint>
#include <string>

namespace oriel::exports {

// "1234.567" for 1,234,567: thousands with three places, so microseconds of nanoseconds. 0 for what is below it.
std::string thousandths(int64_t number);

// JSON has no number for what is none or infinite: 0.
std::string json_number(double value);

}  // namespace oriel::exports
