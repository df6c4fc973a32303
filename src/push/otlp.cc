// OTLP's request over HTTP.
#include <utility>
#include <vector>

#include "exports/gzip.h"
#include "exports/otlp_profiles.h"
#include "push/parcel.h"

namespace oriel::push {

Result<Parcel> otlp_parcel(const Server& server, const Identity& identity, std::span<const pprof::Profile> profiles) {
  std::vector<exports::OtlpAttribute> resource = {{"service.name", identity.service}};
  for (const Label& label : identity.labels) resource.emplace_back(label.name, label.value);
  const Result<std::string> bytes = exports::pack_otlp(resource, profiles);
  if (!bytes) return bytes.status();
  Result<std::string> body = exports::gzip(*bytes);
  if (!body) return body.status();
  return Parcel{server.url, "", "application/x-protobuf", "gzip", std::move(*body)};
}

}  // namespace oriel::push
