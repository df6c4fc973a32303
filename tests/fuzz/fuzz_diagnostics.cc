// Any bytes may come out of a process's diagnostics port.
#include <cstdint>
#include <cstdlib>

#include "base/text/utf8.h"
#include "diagnostics/message.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oriel::diagnostics;
  const auto whole = message_size({data, size});
  const auto reply = parse_reply({data, size});
  require(!reply || (whole && *whole <= size));
  if (!reply) {
    require(!reply.message().empty());
    return 0;
  }
  require(reply->error == 0 || reply->payload.empty());
  for (int version = 1; version <= kNewestProcessInfo; ++version) {
    const auto info = parse_process_info(version, reply->payload);
    if (!info) {
      require(!info.message().empty());
      continue;
    }
    for (const std::string* text :
         {&info->command_line, &info->os, &info->architecture, &info->entry_assembly, &info->version, &info->rid})
      require(oriel::is_valid_utf8(*text) && text->size() <= 3 * size);
  }
  return 0;
}
