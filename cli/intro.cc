#include "intro.h"

#include <vector>

#include "base/files/input_file.h"
#include "log/decoder.h"

namespace oriel::cli {

std::optional<log::Intro> read_intro(const std::string& file) {
  struct IntroReader : log::EventSink {
    std::optional<log::Intro> intro;
    void on_intro(const log::Intro& read) override {
      if (!intro) intro = read;
    }
  };
  constexpr size_t kBeginning = 64u << 10;
  std::vector<uint8_t> bytes(kBeginning);
  const Result<InputFile> in = InputFile::open(file, UINT64_MAX);
  const int64_t got = in ? in->read_some(0, bytes.data(), bytes.size()) : 0;
  IntroReader reader;
  const auto outcome = log::decode_bytes(bytes.data(), got > 0 ? static_cast<size_t>(got) : 0, reader);
  return outcome ? reader.intro : std::nullopt;
}

}  // namespace oriel::cli
