#include "fleet/destination.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <utility>

#include "base/files/input_file.h"
#include "base/text/whole_number.h"
#include "commands.h"
#include "report/words/text.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;

Result<milliseconds> milliseconds_of(const std::string& text, const std::string& option) {
  const Result<int64_t> ns = parse_duration(text, option);
  if (!ns) return ns.status();
  return milliseconds(*ns / 1'000'000);
}

// The headers of the environment, and then those given. A header of the environment that is for collectors of OTLP goes
// to no other server.
Result<std::vector<std::string>> headers_of(const DestinationOptions& options, push::Protocol protocol) {
  std::vector<std::string> headers;
  for (const char* const name : {"OTEL_EXPORTER_OTLP_HEADERS", "ORIEL_PUSH_HEADERS"}) {
    const char* const list = std::getenv(name);
    const bool is_for_it = std::string_view(name).starts_with("ORIEL") || protocol == push::Protocol::kOtlp;
    if (!list || !is_for_it) continue;
    Result<std::vector<std::string>> more = push::headers_of_list(name, list);
    if (!more) return more;
    std::ranges::move(*more, std::back_inserter(headers));
  }
  for (const std::string& text : options.headers) {
    Result<std::string> header = push::parse_header(text);
    if (!header) return header.status();
    headers.push_back(std::move(*header));
  }
  return headers;
}

}  // namespace

void add_destination(CLI::App& command, DestinationOptions& options) {
  constexpr const char* kGroup = "Server";
  const auto add = [&](const char* name, auto& to, const char* type, const char* help) {
    return command.add_option(name, to, help)->type_name(type)->allow_extra_args(false)->group(kGroup);
  };
  add("--to", options.to, "URL", "The server, such as http://pyroscope:4040 or http://collector:4318")->required();
  add("--protocol", options.protocol, "pyroscope|otlp",
      "What it speaks (default: otlp at port 4318 or a path of OTLP, else pyroscope)");
  add("--header", options.headers, "HEADER",
      "'NAME: VALUE', with each request; may be repeated. Credentials belong into ORIEL_PUSH_HEADERS=name=value,…: "
      "other users see a command line");
  add("--ca", options.ca, "FILE", "Certificates (PEM) to trust instead of the system's");
  add("--timeout", options.timeout, "TIME", "For one request (default 30s)");
  add("--retry", options.retry, "TIME", "How long to try again while the server is away or busy (default 30s)");
  add("--spool", options.spool, "FOLDER", "Keep what cannot be delivered here, and deliver it at the next push");
  add("--spool-limit", options.spool_limit, "SIZE", "At most so much, the oldest is dropped first (default 64MB)");
}

Result<uint64_t> parse_size(const std::string& text, const std::string& option) {
  constexpr std::pair<std::string_view, uint64_t> kUnits[] = {
      {"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}, {"", 1}};
  constexpr uint64_t kMost = UINT64_C(1) << 50;
  for (const auto& [unit, bytes] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const std::optional<uint64_t> number = whole_number(std::string_view(text).substr(0, text.size() - unit.size()));
    if (number && *number > 0 && *number <= kMost / bytes) return *number * bytes;
    break;
  }
  return Status::error(fmt::format("{} {}: a size is a whole number of KB, MB or GB: 64MB", option, text));
}

Result<Destination> destination_of(const DestinationOptions& options) {
  Destination destination;
  Result<push::Server> server = push::parse_server(options.to, options.protocol);
  if (!server) return server.status();
  destination.server = std::move(*server);
  Result<std::vector<std::string>> headers = headers_of(options, destination.server.protocol);
  if (!headers) return headers.status();
  destination.http.headers = std::move(*headers);
  destination.http.ca_file = options.ca;
  if (const Status status = options.ca.empty() ? Status::ok() : check_input(options.ca); !status)
    return Status::error(fmt::format("--ca {}: {}", options.ca, status.message()));
  const Result<milliseconds> timeout = milliseconds_of(options.timeout, "--timeout");
  if (!timeout) return timeout.status();
  if (*timeout == milliseconds(0)) return Status::error("--timeout 0: a request takes time; leave it out");
  destination.http.timeout = *timeout;
  const Result<milliseconds> retry = milliseconds_of(options.retry, "--retry");
  if (!retry) return retry.status();
  destination.retry = *retry;
  const Result<uint64_t> limit = parse_size(options.spool_limit, "--spool-limit");
  if (!limit) return limit.status();
  if (options.spool.empty()) return destination;
  Result<push::Spool> spool = push::Spool::open(options.spool, *limit);
  if (!spool) return spool.status();
  destination.spool = std::move(*spool);
  return destination;
}

Result<push::Sender> Destination::sender(Interrupts& interrupts, int ends_requests) const {
  push::HttpSettings settings = http;
  settings.is_interrupted = [&interrupts, ends_requests] { return interrupts.count() >= ends_requests; };
  Result<push::Http> made = push::Http::make(std::move(settings));
  if (!made) return made.status();
  push::SenderHooks hooks;
  hooks.post = [its = std::make_shared<push::Http>(std::move(*made))](const push::Parcel& parcel) {
    return its->post(parcel);
  };
  hooks.wait = [&interrupts](milliseconds time) { return interrupts.wait(time); };
  hooks.random = [engine = std::make_shared<std::minstd_rand>(std::random_device()())] {
    return std::uniform_real_distribution<>()(*engine);
  };
  hooks.tell = [](const std::string& message) { say("push: " + report::clean(message)); };
  return push::Sender(server, http.timeout, spool, std::move(hooks));
}

}  // namespace oriel::cli
