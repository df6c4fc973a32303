// ELF files that are cut off, damaged, replaced or gone: fewer names, never a crash.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "symbols/elf_image.h"
#include "symbols/library_list.h"
#include "symbols/symbol_table.h"

namespace oriel::symbols {
namespace {

// This very program.
std::vector<char> original() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Folder {
 public:
  Folder() {
    char name[] = "/tmp/oriel-symbols-XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() {
    for (const std::string& file : files_) unlink(file.c_str());
    rmdir(path_.c_str());
  }
  std::string write(const std::string& name, const std::vector<char>& bytes) {
    const std::string path = path_ + "/" + name;
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    files_.push_back(path);
    return path;
  }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

// Everything that is ever read of an image.
size_t read_all(const std::vector<char>& bytes) {
  const ByteSource source(bytes.data(), bytes.size());
  const ElfImage image(source);
  if (!image.is_valid()) return 0;
  image.build_id();
  image.debug_link();
  SymbolTable table(image.symbols(SHT_SYMTAB), true);
  SymbolTable dynamic(image.symbols(SHT_DYNSYM), false);
  size_t found = 0;
  // Addresses in a program lie about where its bytes lie in the file.
  const uint64_t step = bytes.size() / 1000 + 1;
  for (uint64_t at = 0; at < bytes.size(); at += step) found += table.find(at).has_value();
  dynamic.find(0x1000);
  return found;
}

TEST(Damaged, WholeFileHasSymbols) { EXPECT_GT(read_all(original()), 50u); }

TEST(Damaged, CutOffAnywhere) {
  const std::vector<char> whole = original();
  // The section headers, which tell where symbols are, stand at the end.
  size_t without = 0;
  for (size_t i = 0; i < 100; i++) {
    std::vector<char> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(whole.size() * i / 100));
    without += read_all(part) == 0;
  }
  EXPECT_EQ(without, 100u);
  for (size_t size = 0; size < 80; size++)
    EXPECT_EQ(read_all({whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)}), 0u) << size;
}

TEST(Damaged, WithWrongBytes) {
  const std::vector<char> whole = original();
  uint64_t seed = 3;
  const auto random = [&seed] { return seed = seed * 6364136223846793005u + 1442695040888963407u, seed >> 33; };
  uint64_t sections = 0;
  std::memcpy(&sections, whole.data() + 40, sizeof(sections));
  size_t refused = 0, named = 0;
  for (int round = 0; round < 100; round++) {
    std::vector<char> damaged = whole;
    // In the header and in the section headers, where counts, offsets and sizes are.
    for (int i = 0; i < 4; i++) {
      const bool in_header = random() % 3 == 0;
      const size_t at = in_header ? 16 + random() % 48 : sections + random() % (damaged.size() - sections);
      damaged[at] = static_cast<char>(random());
    }
    const size_t found = read_all(damaged);
    refused += found == 0;
    named += found > 50;
  }
  EXPECT_GT(refused, 0u) << "of damage to what tells where symbols are";
  EXPECT_GT(named, 25u) << "of damage elsewhere";
}

TEST(Damaged, FilesThatAreNoElfOrNotThere) {
  Folder folder;
  EXPECT_TRUE(read_symbols(folder.write("text", {'h', 'i'}), {}).is_empty());
  EXPECT_TRUE(read_symbols(folder.write("empty", {}), {}).is_empty());
  EXPECT_TRUE(read_symbols("/nonexistent/library.so", {}).is_empty());
  EXPECT_TRUE(read_symbols("/tmp", {}).is_empty());
  EXPECT_TRUE(read_symbols("/dev/zero", {}).is_empty());
}

std::vector<uint8_t> own_build_id() {
  for (const LoadedLibrary& library : loaded_libraries()) {
    if (library.path.find("test_symbols") != std::string::npos) return library.build_id;
  }
  return {};
}

TEST(Damaged, AReplacedFileNamesNothing) {
  Folder folder;
  const std::string copy = folder.write("copy", original());
  std::vector<uint8_t> id = own_build_id();
  if (id.empty()) GTEST_SKIP() << "this toolchain writes no build ids";
  EXPECT_FALSE(read_symbols(copy, id).is_empty());
  id[0] ^= 1;
  EXPECT_TRUE(read_symbols(copy, id).is_empty());
}

}  // namespace
}  // namespace oriel::symbols
