#include "diagnostics/process_info.h"

#include "diagnostics/calls.h"

namespace oriel::diagnostics {

std::vector<Result<ProcessInfo>> ask_process_info(std::span<const Port> ports, std::chrono::milliseconds limit) {
  std::vector<int> versions(ports.size(), kNewestProcessInfo);
  std::vector<Call> calls;
  for (size_t i = 0; i < ports.size(); ++i) {
    int& version = versions[i];
    calls.push_back({ports[i], process_info_request(version), [&version](const Reply& reply) {
                       const bool is_too_new = reply.error == kUnknownCommand && version > 1;
                       return is_too_new ? process_info_request(--version) : Bytes();
                     }});
  }
  make_calls(calls, limit);
  std::vector<Result<ProcessInfo>> infos;
  for (size_t i = 0; i < calls.size(); ++i) {
    const Result<Reply>& reply = calls[i].outcome;
    if (!reply)
      infos.emplace_back(reply.status());
    else if (reply->error != 0)
      infos.emplace_back(Status::error("does not say what it is"));
    else
      infos.push_back(parse_process_info(versions[i], reply->payload));
  }
  return infos;
}

}  // namespace oriel::diagnostics
