// Where profiles go, and the headers that go with them. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::push {

enum class Protocol { kPyroscope, kOtlp };
const char* name_of(Protocol protocol);

struct Server {
  Protocol protocol = Protocol::kPyroscope;
  std::string url;  // that requests go to, without a query; it holds no secret
};

// `url` is an address with or without the protocol's own path at its end. `protocol` is "pyroscope", "otlp", or "":
// OTLP where the path or the port (4318) is OTLP's. An address with a user, a password or a query is refused, as it
// would be shown; the message does not repeat it.
Result<Server> parse_server(std::string_view url, std::string_view protocol);

// "NAME: VALUE" as in a request. The message does not repeat the value.
Result<std::string> parse_header(std::string_view text);
// The headers of ORIEL_PUSH_HEADERS and OTEL_EXPORTER_OTLP_HEADERS, "name=value,name=value" with percent-encoding. The
// message names the variable.
Result<std::vector<std::string>> headers_of_list(std::string_view variable, std::string_view list);

}  // namespace oriel::push
