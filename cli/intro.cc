#include "intro.h"

#include <fstream>
#include <vector>

#include "log/decoder.h"

namespace oriel::cli {

std::optional<log::Intro> read_intro(const std::string& file) {
  struct IntroReader : log::EventSink {
    std::optional<log::Intro> intro;
    void on_intro(const log::Intro& read) override { intro = read; }
  };
  constexpr size_t kBeginning = 64u << 10;
  std::vector<char> bytes(kBeginning);
  std::ifstream in(file, std::ios::binary);
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  IntroReader reader;
  const auto outcome =
      log::decode_bytes(reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<size_t>(in.gcount()), reader);
  return outcome ? reader.intro : std::nullopt;
}

}  // namespace oriel::cli
