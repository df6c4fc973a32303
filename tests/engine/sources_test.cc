// Where code stands in source files, by the PDBs of tests/targets: beside the assembly, and within it.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "engine/engine.h"
#include "engine/running_engine.h"
#include "paths.h"
#include "pdb/find.h"

namespace oriel {
namespace {

namespace fs = std::filesystem;

const fs::path kBeside = fs::path(test_paths::targets) / "lines/lines.dll";
const fs::path kWithin = fs::path(test_paths::targets) / "embedded_lines/embedded_lines.dll";
constexpr uint32_t kMethods = 40;  // more than the program has

class SourcesTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(kBeside)) GTEST_SKIP() << "dotnet is not installed";
    test::running_engine();
  }

  // As if it had been loaded from there, and its PDB compiled to a place that is no longer there.
  static oriel_image* image_at(const fs::path& path, const fs::path& of) {
    static uintptr_t id = 0xbeef0000;
    oriel_image* const image = intern_image(id += 16);
    image->path = path;
    if (const auto directory = pdb::debug_directory(of)) image->pdb_id = directory->pdb_id;
    image->pdb_path = "/nowhere/" + of.stem().string() + ".pdb";
    image->described.store(Described::kKnown);
    return image;
  }
  static oriel_image* image_at(const fs::path& path) { return image_at(path, path); }
  static oriel_method* method(oriel_image* image, uint32_t row) {
    return intern_method_definition(image, 0x06000000 | row, false);
  }

  // Places whose line in the source has this text.
  static std::vector<oriel_source> places_with(oriel_image* image, const std::string& text) {
    std::vector<oriel_source> found;
    for (uint32_t row = 1; row < kMethods; ++row) {
      for (uint32_t il = 0; il < 200; ++il) {
        oriel_source source{};
        if (!oriel_method_source(method(image, row), il, &source)) break;
        if (line_of(source).find(text) != std::string::npos) found.push_back(source);
      }
    }
    return found;
  }
  static std::string line_of(const oriel_source& source) {
    std::ifstream file(fs::path(test_paths::target_sources) / "lines" / fs::path(source.file).filename());
    std::string line;
    for (uint32_t number = 0; number < source.line && std::getline(file, line);) ++number;
    return line;
  }
};

TEST_F(SourcesTest, AreTheStatementsOfTheCode) {
  oriel_image* const image = image_at(kBeside);
  for (const char* text : {"// burns in a lambda", "// burns in a local function", "// burns in an async method"}) {
    const std::vector<oriel_source> places = places_with(image, text);
    ASSERT_FALSE(places.empty()) << text;
    for (const oriel_source& place : places) {
      EXPECT_TRUE(fs::path(place.file).is_absolute()) << place.file;
      EXPECT_EQ(place.file, places.front().file) << "one text for each path";
      const std::string line = line_of(place);
      EXPECT_LE(place.column, line.size());
      EXPECT_GT(place.column, line.find_first_not_of(' '));
      EXPECT_GE(std::pair(place.end_line, place.end_column), std::pair(place.line, place.column));
    }
    const auto seen = [](const oriel_source& place) { return !place.hidden; };
    EXPECT_TRUE(std::ranges::any_of(places, seen)) << text;
  }
}

TEST_F(SourcesTest, OfCodeThatTheCompilerMadeUpAreThoseBeforeAndSaySo) {
  oriel_image* const image = image_at(kBeside);
  bool any = false;
  for (uint32_t row = 1; row < kMethods; ++row) {
    oriel_source source{}, later{};
    for (uint32_t il = 0; il < 200 && oriel_method_source(method(image, row), il, &source); ++il) {
      if (!source.hidden) {
        EXPECT_LE(source.il_offset, il);
      } else if (source.il_offset < il) {
        any = true;
        ASSERT_TRUE(oriel_method_source(method(image, row), source.il_offset, &later));
        EXPECT_FALSE(later.hidden);
        EXPECT_EQ(later.line, source.line);
      }
    }
  }
  EXPECT_TRUE(any) << "an async method has such code";
}

TEST_F(SourcesTest, AreFoundInAPdbWithinTheAssembly) {
  EXPECT_FALSE(places_with(image_at(kWithin), "// burns in a lambda").empty());
}

TEST_F(SourcesTest, AreNotThoseOfAnotherBuild) {
  oriel_image* const image = image_at(kBeside, kWithin);
  oriel_source source{};
  for (uint32_t row = 1; row < kMethods; ++row) EXPECT_FALSE(oriel_method_source(method(image, row), 0, &source));
}

TEST_F(SourcesTest, APipeWhereThePdbShouldBeIsNotWaitedFor) {
  const fs::path folder = testing::TempDir() + "oriel-sources-" + std::to_string(getpid());
  fs::create_directories(folder);
  ASSERT_EQ(mkfifo((folder / "lines.pdb").c_str(), 0600), 0);
  oriel_source source{};
  EXPECT_FALSE(oriel_method_source(method(image_at(folder / "lines.dll", kBeside), 1), 0, &source));
  fs::remove_all(folder);
}

TEST_F(SourcesTest, OfNothingAreNone) {
  oriel_source source{};
  EXPECT_FALSE(oriel_method_source(nullptr, 0, &source));
  EXPECT_FALSE(oriel_method_source(method(image_at(kBeside), 1), 0, nullptr));
  EXPECT_FALSE(oriel_method_source(intern_method(0xdead020), 0, &source)) << "a dynamic method";
  oriel_image* const from_bytes = image_at("", "/nowhere");
  EXPECT_FALSE(oriel_method_source(method(from_bytes, 1), 0, &source));
}

TEST_F(SourcesTest, ManyThreadsMayAskWhileImagesGo) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 5; ++i) {
        oriel_image* image = nullptr;
        static std::mutex lock;
        {
          const std::lock_guard guard(lock);
          image = image_at(i % 2 == 0 ? kBeside : kWithin);
        }
        EXPECT_FALSE(places_with(image, "// burns in an async method").empty());
        image->unloaded.store(true);
        EXPECT_FALSE(places_with(image, "// burns in an async method").empty()) << "the file is still there";
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace oriel
