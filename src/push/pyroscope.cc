// https://grafana.com/docs/pyroscope/latest/reference-server-api/: the parameters of POST /ingest.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "push/parcel.h"
#include "push/percent.h"

namespace oriel::push {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

std::string with_underscores(std::string text, bool (*is_allowed)(char)) {
  std::ranges::replace_if(
      text, [&](char c) { return !is_allowed(c); }, '_');
  return text;
}

// "shop{pod=shop-7,service_version=1.4}". Servers differ about dots in names of labels; all take underscores.
std::string name_of(const Identity& identity) {
  const auto of_label = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  const auto of_service = [](char c) { return is_letter(c) || is_digit(c) || std::string_view("_-./").find(c) < 4; };
  const auto of_value = [](char c) { return c != ',' && c != '}' && c != '{'; };
  std::string labels;
  for (const Label& label : identity.labels)
    labels += fmt::format("{}{}={}", labels.empty() ? "" : ",", with_underscores(label.name, of_label),
                          with_underscores(label.value, of_value));
  return fmt::format("{}{{{}}}", with_underscores(identity.service, of_service), labels);
}

// Of the values that are shown first.
std::string units_of(const pprof::Profile& profile) {
  for (const pprof::ValueType& type : profile.sample_types) {
    if (type.type != profile.default_sample_type) continue;
    if (profile.text(type.unit) == "bytes") return "bytes";
    if (profile.text(type.type) == "alloc_objects") return "objects";
  }
  return "samples";
}

}  // namespace

Result<Parcel> pyroscope_parcel(const Server& server, const Identity& identity, const pprof::Profile& profile) {
  Result<std::string> body = exports::pack_pprof(profile);
  if (!body) return body.status();
  const int64_t until = profile.time_nanos + profile.duration_nanos;
  Parcel parcel{server.url, "", "application/octet-stream", "", std::move(*body)};
  parcel.query = fmt::format("name={}&from={}&until={}&format=pprof&spyName=oriel&units={}&aggregationType=sum",
                             percent_encoded(name_of(identity)), profile.time_nanos / kSecond,
                             (until + kSecond - 1) / kSecond, units_of(profile));
  if (profile.period > 0) parcel.query += fmt::format("&sampleRate={}", kSecond / profile.period);
  return parcel;
}

}  // namespace oriel::push
