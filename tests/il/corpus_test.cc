// The fuzzer's seeds, as they are and damaged in many ways, in every normal test run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "paths.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace oriel::il::test {
namespace {

std::vector<std::vector<uint8_t>> seeds() {
  std::vector<std::vector<uint8_t>> found;
  for (const auto& entry : std::filesystem::directory_iterator(test_paths::il_corpus)) {
    std::ifstream in(entry.path(), std::ios::binary);
    found.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return found;
}

// A wrong one aborts the program.
TEST(Fuzz, SeedsAndDamagedSeeds) {
  const auto all = seeds();
  ASSERT_GE(all.size(), 8u);
  std::mt19937 random(1);
  for (const auto& seed : all) {
    LLVMFuzzerTestOneInput(seed.data(), seed.size());
    for (size_t cut = 0; cut < seed.size(); ++cut) LLVMFuzzerTestOneInput(seed.data(), cut);
    for (int round = 0; round < 3000; ++round) {
      auto damaged = seed;
      for (unsigned i = 0; i <= random() % 3; ++i) damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      LLVMFuzzerTestOneInput(damaged.data(), damaged.size());
    }
  }
}

}  // namespace
}  // namespace oriel::il::test
