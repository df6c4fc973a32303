#include "push/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/trimmed.h"
#include "base/text/words.h"
#include "push/percent.h"

namespace oriel::push {
namespace {

struct ProtocolRow {
  Protocol protocol;
  const char* name;
  std::string_view path;
};

constexpr ProtocolRow kProtocols[] = {
    {Protocol::kPyroscope, "pyroscope", "/ingest"},
    {Protocol::kOtlp, "otlp", "/v1development/profiles"},
};
constexpr std::string_view kOtlpPort = ":4318";

// A token of RFC 9110.
bool is_header_name(std::string_view name) {
  const auto fits = [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  };
  return !name.empty() && std::ranges::all_of(name, fits);
}

bool is_header_value(std::string_view value) {
  return std::ranges::none_of(value, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\t') || byte == 0x7f;
  });
}

// Empty if it is none.
std::string header_of(std::string_view name, std::string_view value) {
  value = trimmed(value);
  if (!is_header_name(name) || value.empty() || !is_header_value(value)) return "";
  return fmt::format("{}: {}", name, value);
}

}  // namespace

const char* name_of(Protocol protocol) { return std::ranges::find(kProtocols, protocol, &ProtocolRow::protocol)->name; }

Result<Server> parse_server(std::string_view url, std::string_view protocol) {
  const size_t scheme = url.find("://");
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    return Status::error("--to: write an address that begins with http:// or https://");
  const std::string_view place = url.substr(scheme + 3);
  const size_t path_at = std::min(place.find('/'), place.size());
  const std::string_view host = place.substr(0, path_at);
  if (place.find('@') != std::string_view::npos || place.find_first_of("?#") != std::string_view::npos)
    return Status::error(
        "--to: the address has a user, a password or a query in it, which would be shown; give credentials by "
        "ORIEL_PUSH_HEADERS");
  const auto is_wrong = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == '\\'; };
  if (host.empty() || host[0] == ':' || std::ranges::any_of(place, is_wrong))
    return Status::error("--to: there is no host in the address, or a blank; write it like http://pyroscope:4040");
  std::string_view base = url;
  while (base.ends_with('/')) base.remove_suffix(1);
  const ProtocolRow& otlp = kProtocols[1];
  const bool looks_like_otlp = base.ends_with(otlp.path) || host.ends_with(kOtlpPort);
  const auto* row = &kProtocols[looks_like_otlp ? 1 : 0];
  if (!protocol.empty()) row = std::ranges::find(kProtocols, protocol, &ProtocolRow::name);
  if (row == std::end(kProtocols)) return Status::error(fmt::format("--protocol {}: use pyroscope or otlp", protocol));
  return Server{row->protocol, std::string(base) + std::string(base.ends_with(row->path) ? "" : row->path)};
}

Result<std::string> parse_header(std::string_view text) {
  std::string_view value = text;
  const std::string_view name = cut(value, ':');
  std::string header = header_of(name, value);
  if (header.empty())
    return Status::error(
        "--header: write 'NAME: VALUE'; a name has no blanks, and a value no line breaks (it is not repeated here)");
  return header;
}

Result<std::vector<std::string>> headers_of_list(std::string_view variable, std::string_view list) {
  std::vector<std::string> headers;
  for (const std::string& part : split(list, ',')) {
    std::string_view value = part;
    const std::string_view name = trimmed(cut(value, '='));
    std::string header = header_of(name, percent_decoded(value));
    if (header.empty())
      return Status::error(fmt::format(
          "{}: write name=value,name=value, with %20 for a blank and %2C for a comma in a value", variable));
    headers.push_back(std::move(header));
  }
  return headers;
}

}  // namespace oriel::push
