// Assemblies within single-file programs: what is there is found, and nothing of a file is trusted.
#include "coverage/bundle.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace oriel::coverage {
namespace {

const std::string kMark(
    "\x8b\x12\x02\xb9\x6a\x61\x20\x38\x72\x7b\x93\x02\x14\xd7\xa0\x32\x13\xf5\xb9\xe6\xef\xae\x33\x18\xee\x3b\x2d\xce"
    "\x24\xb3\x6a\xae",
    32);

template <typename T>
std::string bytes_of(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A host, a file in it, and the manifest.
std::string program() {
  const std::string host = "host", file = "an assembly", name = "Shop.dll";
  const uint64_t at = host.size() + 8 + kMark.size();
  std::string text = host + bytes_of<uint64_t>(at + file.size()) + kMark + file;
  text += bytes_of<uint32_t>(6) + bytes_of<uint32_t>(0) + bytes_of<uint32_t>(1) + "\x02id" + std::string(40, '\0');
  text += bytes_of<uint64_t>(at) + bytes_of<uint64_t>(file.size()) + bytes_of<uint64_t>(0) + '\x01';
  return text + static_cast<char>(name.size()) + name;
}

std::string found_in(const std::string& bytes, const std::string& name) {
  const std::string path = testing::TempDir() + "oriel-bundle-" + std::to_string(getpid());
  std::ofstream(path, std::ios::binary) << bytes;
  const auto found = read_from_bundle(path, name);
  std::filesystem::remove(path);
  return found ? std::string(found->begin(), found->end()) : "nothing";
}

TEST(Bundle, HasTheFileOfThatName) {
  EXPECT_EQ(found_in(program(), "Shop.dll"), "an assembly");
  EXPECT_EQ(found_in(program(), "Other.dll"), "nothing");
  EXPECT_EQ(found_in("no program", "Shop.dll"), "nothing");
  EXPECT_FALSE(read_from_bundle("/no/such/file", "Shop.dll"));
}

TEST(Bundle, DamageIsNoHarm) {
  const std::string whole = program();
  for (size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(found_in(whole.substr(0, i), "Shop.dll"), "nothing") << i;
    for (const char change : {'\x01', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      EXPECT_LE(found_in(changed, "Shop.dll").size(), whole.size()) << i;
    }
  }
}

}  // namespace
}  // namespace oriel::coverage
