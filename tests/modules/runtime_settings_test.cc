#include "modules/runtime_settings.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace oriel::modules {
namespace {

constexpr const char* kFile = R"({"runtimeOptions": {"tfm": "net10.0", "configProperties": {
  "System.Runtime.TieredCompilation": false, "System.Runtime.TieredPGO": "true", "System.GC.Server": true}}})";

TEST(RuntimeSettings, AreThoseOfTheFileThatChangeWhatIsCompiledAndHowItCollects) {
  EXPECT_EQ(runtime_settings(kFile),
            "System.Runtime.TieredCompilation=false System.Runtime.TieredPGO=true System.GC.Server=true");
}

TEST(RuntimeSettings, OfTheEnvironmentGoBeforeTheFiles) {
  setenv("DOTNET_TieredCompilation", "1", 1);
  setenv("COMPlus_ReadyToRun", "0", 1);
  EXPECT_EQ(runtime_settings(kFile),
            "DOTNET_TieredCompilation=1 System.Runtime.TieredPGO=true COMPlus_ReadyToRun=0 "
            "System.GC.Server=true");
  EXPECT_EQ(runtime_settings(""), "DOTNET_TieredCompilation=1 COMPlus_ReadyToRun=0");
  unsetenv("DOTNET_TieredCompilation");
  unsetenv("COMPlus_ReadyToRun");
}

TEST(RuntimeSettings, AreNoneOfWhatIsNoSuchFile) {
  for (const char* text : {"", "{", "[]", "3", R"({"runtimeOptions": 1})", R"({"runtimeOptions": {}})",
                           R"({"runtimeOptions": {"configProperties": [1]}})"})
    EXPECT_EQ(runtime_settings(text), "") << text;
}

}  // namespace
}  // namespace oriel::modules
