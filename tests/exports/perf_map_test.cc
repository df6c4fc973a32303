#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "exports/export.h"
#include "imports/log_maker.h"
#include "oriel/oriel.h"
#include "profile/profile.h"

namespace oriel::exports {
namespace {

using ::testing::HasSubstr;

class PerfMap : public ::testing::Test {
 protected:
  PerfMap() : thread_(maker_.thread(1, "main", true)) {}

  uint64_t method(const std::string& name) { return maker_.method(maker_.klass("Shop.Cart", 0), name); }
  void compiled(uint64_t ns, uint64_t method, uint64_t address, uint64_t size) {
    maker_.event(thread_, ns, oriel_event_jit_done).add(method).add(address).add(size);
  }
  void freed(uint64_t ns, uint64_t method) { maker_.event(thread_, ns, oriel_event_method_free).add(method); }

  Status write(std::string& text) {
    const auto path = std::filesystem::temp_directory_path() / ("perf_map_test." + std::to_string(getpid()));
    auto writer = log::Writer::create(path);
    EXPECT_TRUE(maker_.write(**writer));
    (*writer)->close();
    const Result<profile::Profile> profile = profile::load(path);
    std::ostringstream out;
    const Status status = write_export(**find_export("perf-map"), *profile, out);
    text = out.str();
    std::filesystem::remove(path);
    return status;
  }
  std::string map() {
    std::string text;
    const Status status = write(text);
    EXPECT_TRUE(status) << status.message();
    return text;
  }

  imports::LogMaker maker_;
  uint64_t thread_;
};

TEST_F(PerfMap, HasALineForEachMethodByAddress) {
  compiled(1, method("Pay(int, string)"), 0x7f0000002000, 0x40);
  compiled(2, method("Add()"), 0x7f0000001000, 0x1f);
  EXPECT_EQ(map(), "7f0000001000 1f Shop.Cart.Add()\n7f0000002000 40 Shop.Cart.Pay(int, string)\n");
}

TEST_F(PerfMap, CodeThatTookTheAddressLastHasIt) {
  compiled(1, method("Old()"), 0x1000, 0x100);
  compiled(2, method("Inside()"), 0x1080, 0x10);
  compiled(3, method("Twice()"), 0x2000, 0x10);
  compiled(4, method("Twice()"), 0x3000, 0x20);
  compiled(5, method("Gone()"), 0x4000, 0x10);
  freed(6, method("Gone()"));
  EXPECT_EQ(map(), "1080 10 Shop.Cart.Inside()\n2000 10 Shop.Cart.Twice()\n3000 20 Shop.Cart.Twice()\n");
}

TEST_F(PerfMap, HostileNamesStayOnTheirLines) {
  compiled(1, method("A\n2000 10 B"), 0x1000, 0x10);
  EXPECT_EQ(map(), "1000 10 Shop.Cart.A 2000 10 B\n");
}

TEST_F(PerfMap, ALogThatDoesNotTellIsRefused) {
  freed(1, method("Gone()"));
  std::string text;
  const Status status = write(text);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.message(), HasSubstr("does not tell where compiled code lies"));
  EXPECT_EQ(text, "");
}

}  // namespace
}  // namespace oriel::exports
