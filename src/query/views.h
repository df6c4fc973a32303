// Ready-made views, over tables whose rows the reader has already added up.
#pragma once

#include <span>

namespace oriel::query {

struct View {
  const char* name;
  const char* help;  // what it shows, "the functions by …"
  const char* sql;   // a SELECT
};

std::span<const View> views();

}  // namespace oriel::query
