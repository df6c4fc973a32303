// Percent-encoding (RFC 3986), of queries and of OpenTelemetry's lists in the environment.
#pragma once

#include <string>
#include <string_view>

namespace oriel::push {

// All but letters, digits and "-._~" encoded.
std::string percent_encoded(std::string_view text);
// What is no valid encoding stays as it is.
std::string percent_decoded(std::string_view text);

}  // namespace oriel::push
