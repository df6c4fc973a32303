// Runs a fuzz target over stored inputs, and over each of them cut short and with a byte changed, where no libFuzzer
// is.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Bytes = std::vector<uint8_t>;

void run(const Bytes& input) { LLVMFuzzerTestOneInput(input.data(), input.size()); }

void replay(const Bytes& input) {
  run(input);
  const size_t step = input.size() / 256 + 1;
  for (size_t at = 0; at < input.size(); at += step) {
    run(Bytes(input.begin(), input.begin() + static_cast<std::ptrdiff_t>(at)));
    Bytes changed = input;
    changed[at] ^= 0xff;
    run(changed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      replay(Bytes(std::istreambuf_iterator<char>(in), {}));
      ++count;
    }
  }
  std::printf("%zu inputs replayed\n", count);
  return count != 0 ? 0 : 1;
}
