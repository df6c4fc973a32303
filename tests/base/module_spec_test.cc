#include "base/process/module_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <tuple>

namespace oriel {
namespace {

using testing::HasSubstr;

void expect_spec(const std::string& description, const std::string& name, const std::string& path,
                 const std::string& args) {
  const Result<ModuleSpec> spec = parse_module(description);
  ASSERT_TRUE(spec.is_ok()) << spec.message();
  EXPECT_EQ(spec->name, name);
  EXPECT_EQ(spec->path, path);
  EXPECT_EQ(spec->args, args);
}

TEST(ModuleSpec, IsANameOrAPathWithArguments) {
  expect_spec("log", "log", "", "");
  expect_spec("log:", "log", "", "");
  expect_spec("log:out=/tmp/a.b,x=1:2", "log", "", "out=/tmp/a.b,x=1:2");
  expect_spec("/a/liboriel-my_module.so", "my_module", "/a/liboriel-my_module.so", "");
  expect_spec("./liboriel-m.so:x=/y.so", "m", "./liboriel-m.so", "x=/y.so");
  expect_spec("/a:b.so.d/liboriel-m.so:x:y", "m", "/a:b.so.d/liboriel-m.so", "x:y");
  for (const char* wrong : {"", ":args", "a b", "../x", "/a/libother.so", "/a/liboriel-.so", "liboriel-m.so"}) {
    EXPECT_FALSE(parse_module(wrong).is_ok()) << wrong;
  }
}

TEST(ModuleSpec, OfWhatCannotBeSaysHowToWriteIt) {
  EXPECT_THAT(parse_module("/a/mine.so").message(), HasSubstr("is called liboriel-NAME.so"));
  EXPECT_THAT(parse_module("liboriel-m.so:x").message(), HasSubstr("as ./liboriel-m.so, or only the module, as m"));
  EXPECT_THAT(parse_module("a b").message(), HasSubstr("write NAME:args or /path/liboriel-NAME.so:args"));
}

class FindModule : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/oriel-modules-XXXXXX";
    folder_ = mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string make(const std::string& place) {
    const std::filesystem::path path = folder_ + "/" + place;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << "";
    return path.string();
  }
  std::string found(const ModuleSpec& spec) {
    const auto file = find_module_file(spec, module_folders(folder_ + "/lib", "/nowhere::" + folder_ + "/mine"));
    return file ? *file : file.message();
  }

  std::string folder_;
};

TEST_F(FindModule, BesideTheEngineInItsFolderAndAlongTheModulePath) {
  const ModuleSpec spec{"m", "m", "", ""};
  EXPECT_EQ(found(spec), "cannot find module 'm': no liboriel-m.so in " + folder_ + "/lib, " + folder_ +
                             "/lib/oriel, /nowhere, " + folder_ +
                             "/mine; check the name, give the path, or name its folder in ORIEL_MODULE_PATH; "
                             "a profiler for Mono is written mono:m");
  for (const char* place : {"mine/liboriel-m.so", "lib/oriel/liboriel-m.so", "lib/liboriel-m.so"}) {
    const std::string file = make(place);
    EXPECT_EQ(found(spec), file);
  }
}

TEST_F(FindModule, OfOneForMonoIsTheModuleThatLoadsIt) {
  for (const char* description : {"libmono-profiler-my-calls.so", "/some/where/libmono-profiler-my-calls.so:a:b"}) {
    const Result<ModuleSpec> spec = parse_module(description);
    ASSERT_TRUE(spec) << spec.message();
    EXPECT_TRUE(spec->is_of_mono());
    EXPECT_EQ(spec->name, "mono_my_calls");
    EXPECT_EQ(spec->entry, "mono");
    EXPECT_EQ(spec->args, description);
  }
  const MonoModule module = mono_module("/some/where/libmono-profiler-my-calls.so:a:b");
  EXPECT_EQ(module.name, "my-calls");
  EXPECT_EQ(module.file, "/some/where/libmono-profiler-my-calls.so");
  EXPECT_EQ(module.args, "a:b");
  EXPECT_FALSE(parse_module("calls")->is_of_mono());
}

TEST_F(FindModule, OfOneForMonoByItsName) {
  for (const auto& [description, name, args] :
       {std::tuple("mono:calls", "mono_calls", "libmono-profiler-calls.so"),
        std::tuple("mono:calls:a:b", "mono_calls", "libmono-profiler-calls.so:a:b"),
        std::tuple("mono:/some/libmono-profiler-calls.so:a", "mono_calls", "/some/libmono-profiler-calls.so:a")}) {
    const Result<ModuleSpec> spec = parse_module(description);
    ASSERT_TRUE(spec) << spec.message();
    EXPECT_TRUE(spec->is_of_mono());
    EXPECT_EQ(spec->name, name);
    EXPECT_EQ(spec->args, args);
  }
  for (const char* wrong : {"mono", "mono:", "mono::a", "mono:/some/other.so", "mono:a b"})
    EXPECT_THAT(parse_module(wrong).message(), HasSubstr("must know which: write mono:NAME:args")) << wrong;
}

TEST_F(FindModule, ByItsPathAlone) {
  make("lib/liboriel-m.so");
  const std::string file = make("a:b/liboriel-m.so");
  EXPECT_EQ(found({"m", "m", file, ""}), file);
  const std::string none = folder_ + "/liboriel-m.so";
  EXPECT_EQ(found({"m", "m", none, ""}), "cannot load module 'm': there is no file " + none + "; check the path");
  std::filesystem::create_directory(none);
  EXPECT_THAT(found({"m", "m", none, ""}), HasSubstr("there is no file"));
}

}  // namespace
}  // namespace oriel
