// Loading modules, and every way to be refused: the message names the module and what to do.
#include "engine/modules.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/raise.h"
#include "engine/running_engine.h"
#include "paths.h"

namespace oriel {
namespace {

class Modules : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("ORIEL_MODULE_PATH", (std::string("/nonexistent:") + test_paths::test_modules).c_str(), 1);
  }

  // The refusal's message, "" if it was loaded.
  static std::string refusal(const std::string& description) {
    char message[1024] = "not set";
    const int result = oriel_load(description.c_str(), message, sizeof message);
    EXPECT_EQ(result == 0, message[0] == '\0') << message;
    EXPECT_EQ(std::string(message).find('\n'), std::string::npos) << "one line only: " << message;
    return message;
  }
  static std::string path(const std::string& name) {
    return std::string(test_paths::test_modules) + "/liboriel-" + name + ".so";
  }
  template <typename Value>
  static Value* variable(const std::string& module, const char* name) {
    void* const library = dlopen(path(module).c_str(), RTLD_NOW | RTLD_NOLOAD);
    EXPECT_NE(library, nullptr);
    return library ? static_cast<Value*>(dlsym(library, name)) : nullptr;
  }
};

TEST_F(Modules, LoadsByNameWithArgumentsAndOnlyOnce) {
  EXPECT_EQ(refusal("fine:out=/tmp/x,a=b:c"), "");
  EXPECT_EQ(*variable<int>("fine", "starts"), 1);
  EXPECT_STREQ(variable<char>("fine", "last_args"), "out=/tmp/x,a=b:c");
  EXPECT_EQ(refusal("fine:other"), "");
  EXPECT_EQ(refusal(path("fine")), "");
  EXPECT_EQ(*variable<int>("fine", "starts"), 1);
}

TEST_F(Modules, OfTheEnvironmentAreSplitAtSemicolons) {
  setenv("ORIEL_PROFILERS", (";missing_one;" + path("second") + ":a=1,b=/c:d;").c_str(), 1);
  const std::string said = test::said_by(load_modules_of_environment);
  EXPECT_NE(said.find("oriel: cannot find module 'missing_one'"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_STREQ(variable<char>("second", "last_args"), "a=1,b=/c:d");
  unsetenv("ORIEL_PROFILERS");
}

TEST_F(Modules, MissingOnesAreRefusedWithWhereItWasLookedFor) {
  const std::string by_name = refusal("absent");
  EXPECT_NE(by_name.find("'absent'"), std::string::npos);
  EXPECT_NE(by_name.find(test_paths::test_modules), std::string::npos) << by_name;
  EXPECT_NE(by_name.find("ORIEL_MODULE_PATH"), std::string::npos) << by_name;
  EXPECT_NE(refusal("/nowhere/liboriel-absent.so").find("/nowhere/liboriel-absent.so"), std::string::npos);
}

TEST_F(Modules, OfANewerApiVersionAreRefusedNamingBoth) {
  const std::string said = refusal("otherversion");
  EXPECT_NE(said.find("'otherversion'"), std::string::npos) << said;
  EXPECT_NE(said.find("API version 99"), std::string::npos) << said;
  EXPECT_NE(said.find("versions 1 to " + std::to_string(ORIEL_API_VERSION) + "; update Oriel"), std::string::npos)
      << said;
}

TEST_F(Modules, OfAnOlderApiVersionAreTaken) {
  EXPECT_EQ(refusal("olderversion"), "");
  EXPECT_EQ(*variable<int>("olderversion", "starts"), 1);
}

TEST_F(Modules, ThatCallAFunctionAsItNoLongerIsAreRefusedNamingIt) {
  const std::string said = refusal("olderchanged");
  EXPECT_NE(said.find("API version 1 and calls oriel_get_sample_mode"), std::string::npos) << said;
  EXPECT_NE(said.find("since version 2; rebuild it"), std::string::npos) << said;
}

TEST_F(Modules, OfAVersionThatNeverWasAreRefused) {
  EXPECT_NE(refusal("zeroversion").find("return ORIEL_API_VERSION"), std::string::npos);
}

TEST_F(Modules, WithoutVersionOrStartAreRefusedNamingTheFunction) {
  EXPECT_NE(refusal("noversion").find("oriel_api_version_noversion"), std::string::npos);
  EXPECT_NE(refusal("noinit").find("oriel_init_noinit"), std::string::npos);
}

TEST_F(Modules, ThatRefusesToStartTakesItsCallbacksAndSamplingAlong) {
  const std::string said = refusal("refuses:bad=1");
  EXPECT_NE(said.find("'refuses'"), std::string::npos) << said;
  EXPECT_NE(said.find("'bad=1'"), std::string::npos) << said;
  EXPECT_NE(said.find("7"), std::string::npos) << said;
  EXPECT_EQ(oriel_event_counter(oriel_event_domain_loaded), 0u);
  EXPECT_TRUE(oriel_enable_sampling(test::sampling_owner()));
  EXPECT_NE(refusal("refuses:again"), "") << "a refused module may be tried again";
}

TEST_F(Modules, ThatThrowsIsRefused) { EXPECT_NE(refusal("throws").find("'throws'"), std::string::npos); }

TEST_F(Modules, ThatDoesNotLinkIsRefusedNamingWhatItLacks) {
  const std::string said = refusal("needsmore");
  EXPECT_NE(said.find("function_that_nobody_has; rebuild the module"), std::string::npos) << said;
}

TEST_F(Modules, ThatCallAFunctionOfANewerEngineAreRefusedSayingSo) {
  const std::string said = refusal("needsnewer");
  EXPECT_NE(said.find("oriel_function_to_come; the module is not linked with liboriel (pkg-config --libs oriel), or it "
                      "is built for a newer"),
            std::string::npos)
      << said;
}

TEST_F(Modules, OfMonoByAnotherNameAreRefusedWithTheNameThatTheyNeed) {
  for (const std::string& module : {path("ofmono"), path("ofoldmono")}) {
    const std::string said = refusal(module);
    EXPECT_NE(said.find("it is a profiler for Mono; call its file libmono-profiler-NAME.so"), std::string::npos)
        << said;
    EXPECT_NE(said.find("\"Coming from Mono\" in docs/API.md"), std::string::npos) << said;
  }
}

TEST_F(Modules, ThatIsNoLibraryIsRefused) {
  const std::string folder = std::filesystem::temp_directory_path() / ("oriel-test-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/liboriel-text.so") << "no library";
  const std::string said = refusal(folder + "/liboriel-text.so");
  EXPECT_NE(said.find("'text'"), std::string::npos) << said;
  std::filesystem::remove_all(folder);
}

TEST_F(Modules, MessagesFitTheBufferTheyGet) {
  char small[8];
  EXPECT_NE(oriel_load("absent", small, sizeof small), 0);
  EXPECT_EQ(strlen(small), 7u);
  EXPECT_NE(oriel_load("absent", nullptr, 0), 0);
  EXPECT_NE(oriel_load(nullptr, small, sizeof small), 0);
}

}  // namespace
}  // namespace oriel
