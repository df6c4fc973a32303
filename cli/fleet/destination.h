// Where `oriel push` sends profiles, by its options and the environment.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "interrupts.h"
#include "push/http.h"
#include "push/labels.h"
#include "push/sender.h"
#include "push/server.h"
#include "push/spool.h"

namespace oriel::cli {

struct DestinationOptions {
  std::string to, protocol, ca, spool;
  std::string timeout = "30s", retry = "30s", spool_limit = "64MB";
  std::vector<std::string> headers;
};

// Adds --to, --protocol, --header, --ca, --timeout, --retry, --spool and --spool-limit.
void add_destination(CLI::App& command, DestinationOptions& options);

struct Destination {
  push::Server server;
  push::HttpSettings http;
  std::chrono::milliseconds retry{0};
  std::optional<push::Spool> spool;

  // Sends by the network, and tells failures on stderr. An error if libcurl is missing. The first interrupt ends waits,
  // the one of number `ends_requests` also a request.
  Result<push::Sender> sender(Interrupts& interrupts, int ends_requests) const;
};

// Errors name the option, and repeat no credentials.
Result<Destination> destination_of(const DestinationOptions& options);

// "64MB", "500KB", "1GB" or a number of bytes.
Result<uint64_t> parse_size(const std::string& text, const std::string& option);

}  // namespace oriel::cli
