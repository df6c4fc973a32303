#include "modules/origin.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace oriel::modules {
namespace {

namespace fs = std::filesystem;

// "project Shop", "package Newtonsoft.Json 13.0.3", …
std::string text_of(const Origin& origin) {
  constexpr const char* kKinds[] = {"unknown", "project", "package", "framework"};
  return std::string(kKinds[static_cast<size_t>(origin.kind)]) + " " + origin.name;
}

// An installation, a program, and whatever else a test puts there.
class Origins : public testing::Test {
 protected:
  Origins() { fs::create_directories(root_ / "host/fxr"); }
  ~Origins() override { fs::remove_all(folder_); }

  static std::string of(const fs::path& path) { return text_of(origin_of(path.string(), path.stem().string())); }

  static void write(const fs::path& path, const std::string& text = "") {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("origins-" + std::to_string(getpid()) + "-" +
       testing::UnitTest::GetInstance()->current_test_info()->name());  // answers are remembered by folder
  const fs::path root_ = folder_ / "sdk/dotnet";
  const fs::path app_ = folder_ / "app";
};

TEST_F(Origins, OfAnInstallationAreFrameworksAndSdks) {
  EXPECT_EQ(of(root_ / "shared/Microsoft.NETCore.App/10.0.1/System.Linq.dll"),
            "framework Microsoft.NETCore.App 10.0.1");
  EXPECT_EQ(of(root_ / "shared/Some.Other.App/1.0/Other.dll"), "framework Some.Other.App 1.0");
  EXPECT_EQ(of(root_ / "sdk/10.0.1/Roslyn/bincore/csc.dll"), "framework SDK 10.0.1");
  EXPECT_EQ(of(root_ / "sdk/10.0.1/tools/Shop.dll"), "framework SDK 10.0.1");
  EXPECT_EQ(of(root_ / "packs/Microsoft.NETCore.App.Ref/10.0.1/analyzers/dotnet/cs/Some.Generator.dll"),
            "framework Microsoft.NETCore.App.Ref 10.0.1");
  EXPECT_EQ(of(root_ / "library-packs/Other.dll"), "framework .NET");
}

TEST_F(Origins, OfMonosInstallationAreItsLibraries) {
  const fs::path mono = folder_ / "lib/mono";
  write(mono / "4.5/mscorlib.dll");
  EXPECT_EQ(of(mono / "4.5/mscorlib.dll"), "framework Mono");
  EXPECT_EQ(of(mono / "gac/System/4.0.0.0__b77a5c561934e089/System.dll"), "framework Mono");
  EXPECT_EQ(of(mono / "4.5/mcs.exe"), "project mcs");
  EXPECT_EQ(of(folder_ / "other/mono/Shop.dll"), "project Shop");
}

TEST_F(Origins, OfWhatDoesNotLieInAnInstallationAreTheProgramsOwn) {
  EXPECT_EQ(of("/srv/shop/Shop.dll"), "project Shop");
  EXPECT_EQ(of("/srv/shop/System.Reactive.dll"), "project System.Reactive");
  EXPECT_EQ(of("/srv/shared/Microsoft.Things.App/1.0/Shop.dll"), "project Shop");
  EXPECT_EQ(of("/srv/sdk/10.0.1/Shop.dll"), "project Shop");
  EXPECT_EQ(of(folder_ / "sdk/Shop.dll"), "project Shop");
  EXPECT_EQ(of(root_ / "tools/.store/shop/1.0/Shop.dll"), "project Shop");
}

TEST_F(Origins, OfTestRunnersThatNothingDescribesArePackages) {
  const fs::path nunit = folder_ / "lib/nunit";
  for (const char* name : {"nunit-console.exe", "nunit-agent.exe", "nunit.core.interfaces.dll", "nunit3-console.exe",
                           "nunitlite-runner.exe", "xunit.console.exe"})
    EXPECT_EQ(of(nunit / name), "package " + fs::path(name).stem().string());
  EXPECT_EQ(of(nunit / "Shop.Tests.dll"), "project Shop.Tests");
  write(app_ / "nunit.engine.deps.json", R"({
    "targets": {"a": {"nunit.engine/1.0": {"runtime": {"nunit.engine.dll": {}}}}},
    "libraries": {"nunit.engine/1.0": {"type": "project"}}})");
  EXPECT_EQ(of(app_ / "nunit.engine.dll"), "project nunit.engine");
}

TEST_F(Origins, AreThoseOfTheDepsFileBesideTheAssembly) {
  write(app_ / "Shop.deps.json", R"({
    "targets": {".NETCoreApp,Version=v10.0": {
      "Shop/1.0.0": {"runtime": {"Shop.dll": {}}},
      "Shop.Data/1.0.0": {"runtime": {"Shop.Data.dll": {"assemblyVersion": "1.0.0.0"}}},
      "Vendor.Reference/2.0.0.0": {"runtime": {"Vendor.dll": {}}},
      "Ours.Reference/1.0.0.0": {"runtime": {"Ours.dll": {}}},
      "Within.Reference/1.0.0.0": {"runtime": {"Within.dll": {}}},
      "Newtonsoft.Json/13.0.3": {"runtime": {"lib/net6.0/Newtonsoft.Json.dll": {}}},
      "System.Management/9.0.0": {"runtimeTargets": {"runtimes/unix/lib/net9.0/System.Management.dll": {}}},
      "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/10.0.1": {"runtime": {"System.Linq.dll": {}}}}},
    "libraries": {
      "Shop/1.0.0": {"type": "project"}, "Shop.Data/1.0.0": {"type": "project"},
      "Vendor.Reference/2.0.0.0": {"type": "reference"}, "Ours.Reference/1.0.0.0": {"type": "reference"},
      "Within.Reference/1.0.0.0": {"type": "reference"}, "Newtonsoft.Json/13.0.3": {"type": "package"},
      "System.Management/9.0.0": {"type": "package"},
      "runtimepack.Microsoft.NETCore.App.Runtime.linux-x64/10.0.1": {"type": "runtimepack"}}})");
  EXPECT_EQ(of(app_ / "Shop.dll"), "project Shop");
  EXPECT_EQ(of(app_ / "Shop.Data.dll"), "project Shop.Data");
  EXPECT_EQ(of(app_ / "Vendor.dll"), "package Vendor.Reference 2.0.0.0");
  write(app_ / "Ours.pdb");
  EXPECT_EQ(of(app_ / "Ours.dll"), "project Ours") << "somebody built it who has its PDB";
  write(app_ / "Within.dll", "MZ... MPDB ...");
  EXPECT_EQ(of(app_ / "Within.dll"), "project Within");
  EXPECT_EQ(of(app_ / "Newtonsoft.Json.dll"), "package Newtonsoft.Json 13.0.3");
  EXPECT_EQ(of(app_ / "System.Management.dll"), "package System.Management 9.0.0");
  EXPECT_EQ(of(app_ / "System.Linq.dll"), "framework Microsoft.NETCore.App 10.0.1");
  EXPECT_EQ(of(app_ / "Plugin.dll"), "project Plugin") << "named by no file";
}

TEST_F(Origins, OfWhatAPackagesBuildPutThere) {
  setenv("NUGET_PACKAGES", (folder_ / "packages").c_str(), 1);
  write(app_ / "Shop.Tests.deps.json", R"({
    "targets": {"a": {"Adapter/5.2.0": {"dependencies": {}}, "Outside/1.0": {}, "Api/1.0.0.0": {"runtime": {"Some.Api.dll": {}}}, "Shop.Tests/1.0": {"runtime": {"Shop.Tests.dll": {}}}}},
    "libraries": {"Adapter/5.2.0": {"type": "package", "path": "adapter/5.2.0"},
                  "Outside/1.0": {"type": "package", "path": "../outside"}, "Api/1.0.0.0": {"type": "reference"}}})");
  write(folder_ / "packages/adapter/5.2.0/build/net8.0/Some.Api.dll");
  write(app_ / "Some.Api.pdb");
  write(folder_ / "packages/adapter/5.2.0/build/net8.0/Some.Engine.dll");
  write(folder_ / "outside/Plugin.dll");
  EXPECT_EQ(of(app_ / "Some.Engine.dll"), "package Adapter 5.2.0");
  EXPECT_EQ(of(app_ / "Some.Api.dll"), "package Adapter 5.2.0") << "a reference that the build added";
  EXPECT_EQ(of(app_ / "some.runner.testadapter.dll"), "package some.runner.testadapter");
  EXPECT_EQ(of(app_ / "Some.TestAdapter.dll"), "package Some.TestAdapter");
  EXPECT_EQ(of(app_ / "Microsoft.Some.Platform.dll"), "package Microsoft.Some.Platform");
  EXPECT_EQ(of(app_ / "testadapter"), "project testadapter");
  EXPECT_EQ(of(app_ / "Shop.Tests.dll"), "project Shop.Tests");
  EXPECT_EQ(of(app_ / "Plugin.dll"), "project Plugin");
  unsetenv("NUGET_PACKAGES");
}

TEST_F(Origins, OfAFolderOfPackages) {
  write(folder_ / "packages/newtonsoft.json/13.0.3/.nupkg.metadata");
  EXPECT_EQ(of(folder_ / "packages/newtonsoft.json/13.0.3/lib/net6.0/Newtonsoft.Json.dll"),
            "package newtonsoft.json 13.0.3");
  EXPECT_EQ(of(folder_ / "packages/shop/1.0/lib/net6.0/Shop.dll"), "project Shop");
}

TEST_F(Origins, OfASelfContainedProgramWithoutDepsGoByName) {
  write(app_ / "System.Private.CoreLib.dll");
  EXPECT_EQ(of(app_ / "Shop.dll"), "project Shop");
  EXPECT_EQ(of(app_ / "System.Linq.dll"), "framework .NET");
}

TEST_F(Origins, WithoutAFileGoByName) {
  for (const char* name : {"Shop", "", "[unnamed assembly]", "SystemShop", "MicrosoftShop"})
    EXPECT_TRUE(is_own_code("", name)) << name;
  for (const char* name : {"System.Linq", "System", "System.Private.CoreLib", "Microsoft.CSharp", "mscorlib"})
    EXPECT_FALSE(is_own_code("", name)) << name;
}

TEST(DepsFile, OfWhatIsNoSuchFileIsEmpty) {
  for (const char* text : {"", "{", "[]", "{}", "1", R"({"targets": 1, "libraries": {}})", R"({"targets": {"a": 1}})",
                           R"({"targets": {"a": {"b": 1}}, "libraries": 2})",
                           R"({"targets": {"a": {"b/1": {"runtime": []}}}, "libraries": {"b/1": {"type": 3}}})"})
    EXPECT_TRUE(read_deps(text).files.empty() && read_deps(text).without_files.empty()) << text;
}

// Each file of a package gets its name: a long one would be there as often as there are files.
TEST(DepsFile, NamesOfPackagesAreNoLongerThanTheyMayBe) {
  const std::string name(100'000, 'n');
  const Deps deps = read_deps(R"({"targets": {"a": {")" + name + R"(/1": {"runtime": {"lib/Shop.dll": {}}}}},)" +
                              R"("libraries": {")" + name + R"(/1": {"type": "package"}}})");
  ASSERT_TRUE(deps.files.contains("Shop.dll"));
  EXPECT_LT(deps.files.at("Shop.dll").name.size(), 1000u);
}

}  // namespace
}  // namespace oriel::modules
