// Any bytes may come to the engine's control socket, and out of one.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "control/message.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oriel::control;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto words = words_of(text.substr(0, text.find('\n')))) {
    const auto again = words_of(std::string_view(line_of(*words)).substr(0, line_of(*words).size() - 1));
    require(again && *again == *words);
  } else {
    require(!words.message().empty());
  }
  if (const auto answer = read_answer(text)) {
    const auto again = read_answer(text_of(*answer));
    require(again && again->lines == answer->lines && again->status.is_ok() == answer->status.is_ok());
  } else {
    require(!answer.message().empty());
  }
  return 0;
}
