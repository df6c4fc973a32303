// Messages of the diagnostics protocol of .NET's runtime ("DOTNET_IPC_V1"): requests and replies. A message is a header
// of 20 bytes and a payload, little-endian and below 64 KB. A text in it is its length, as 32 bits, and UTF-16 with a
// terminating NUL. Any bytes may be parsed. Any thread; no locks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::diagnostics {

using Bytes = std::vector<uint8_t>;

inline constexpr size_t kHeaderBytes = 20;
// The error of a runtime that is too old for a request.
inline constexpr uint32_t kUnknownCommand = 0x80131385;

struct Reply {
  uint32_t error = 0;  // an HRESULT; 0: the runtime did what was asked
  Bytes payload;       // of a reply without error
};

// How many bytes a message has in all, by its first kHeaderBytes.
Result<size_t> message_size(std::span<const uint8_t> header);
// A whole message, as message_size() says. The error is a phrase that follows a process's name: "its reply …".
Result<Reply> parse_reply(std::span<const uint8_t> message);

// What a runtime says of its process. Texts are valid UTF-8, and empty where the runtime does not tell them.
struct ProcessInfo {
  uint64_t pid = 0;  // in the process's own namespace
  std::string command_line;
  std::string os;              // "Linux"
  std::string architecture;    // "x64"
  std::string entry_assembly;  // "Shop"; since .NET 6
  std::string version;         // "10.0.12"; since .NET 6
  std::string rid;             // the portable RID, "linux-x64"; since .NET 8
};

// The versions of the request, the newest first.
inline constexpr int kNewestProcessInfo = 3;
// `version` is from 1 to kNewestProcessInfo.
Bytes process_info_request(int version);
Result<ProcessInfo> parse_process_info(int version, std::span<const uint8_t> payload);

// Asks the runtime to load a profiler. Sent whole or not at all: a runtime that gets this request without a payload
// dies of it (measured on 10.0.12).
struct AttachRequest {
  std::string clsid;    // "{9A8FE63E-…}"
  std::string library;  // its path, as the process sees it
  Bytes client_data;    // for the profiler
  std::chrono::milliseconds timeout{10'000};
};
// An error if the class id is none or the message would be too long.
Result<Bytes> attach_request(const AttachRequest& request);

}  // namespace oriel::diagnostics
