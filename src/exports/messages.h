// What protozero lacks for messages of protobuf's third syntax: there a field that is 0 or empty is left out.
#pragma once

#include <cstdint>
#include <limits>
#include <protozero/pbf_builder.hpp>
#include <span>
#include <string>

namespace oriel::exports {

// What readers of protobuf take at most.
constexpr size_t kMostOfMessage = std::numeric_limits<int32_t>::max();

template <typename Field>
void add_number(protozero::pbf_builder<Field>& to, Field field, uint64_t number) {
  if (number != 0) to.add_uint64(field, number);
}

// Numbers below 0 have the bytes of their two's complement in 64 bits, whatever the field's width.
template <typename Field>
void add_number(protozero::pbf_builder<Field>& to, Field field, int64_t number) {
  add_number(to, field, static_cast<uint64_t>(number));
}

template <typename Field>
void add_text(protozero::pbf_builder<Field>& to, Field field, const std::string& text) {
  if (!text.empty()) to.add_string(field, text);
}

template <typename Field>
void add_packed(protozero::pbf_builder<Field>& to, Field field, std::span<const int64_t> numbers) {
  to.add_packed_int64(field, numbers.begin(), numbers.end());
}

}  // namespace oriel::exports
