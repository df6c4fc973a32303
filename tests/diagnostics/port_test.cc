#include "diagnostics/port.h"

#include <gtest/gtest.h>

#include "diagnostics/test_ports.h"

namespace oriel::diagnostics {
namespace {

class FindPort : public testing::Test {
 protected:
  void SetUp() override {
    process_ = *read_process(getpid());
    read_inside(process_);
    name_ = "dotnet-diagnostic-" + std::to_string(getpid()) + "-" + std::to_string(process_.start_ticks) + "-socket";
    set_folder(folder_.path());
  }
  void set_folder(const std::string& folder) { process_.environment = {"TMPDIRS=/", "TMPDIR=" + folder}; }

  TestFolder folder_;
  Process process_;
  std::string name_;
};

TEST_F(FindPort, FindsItInTheProcessesOwnFolder) {
  EXPECT_EQ(find_port(process_).state, PortState::kNone);
  const TestPort port(folder_, name_, nullptr);
  for (const char* end : {"", "/"}) {
    set_folder(folder_.path() + end);
    const PortPlace place = find_port(process_);
    EXPECT_EQ(place.state, PortState::kThere);
    EXPECT_EQ(place.port.path(), folder_.path() + "/" + name_);
    EXPECT_EQ(place.port.pid, getpid());
  }
}

TEST_F(FindPort, TakesNoneOfAnEarlierProcess) {
  const TestPort port(folder_, "dotnet-diagnostic-" + std::to_string(getpid()) + "-1-socket", nullptr);
  EXPECT_EQ(find_port(process_).state, PortState::kNone);
}

TEST_F(FindPort, TellsWhyThereIsNone) {
  {
    const TestPort port(folder_, name_, nullptr);
    std::filesystem::remove(port.port().path());
    EXPECT_EQ(find_port(process_).state, PortState::kRemoved);
  }
  EXPECT_EQ(find_port(process_).state, PortState::kNone);
  set_folder(folder_.path() + "/none");
  EXPECT_EQ(find_port(process_).state, PortState::kNoFolder);
  set_folder(folder_.path() + "/" + std::string(100, 'x'));
  EXPECT_EQ(find_port(process_).state, PortState::kTooLong);
  std::filesystem::create_symlink("/nowhere", folder_.path() + "/" + name_);
  set_folder(folder_.path());
  EXPECT_EQ(find_port(process_).state, PortState::kNone) << "a link is no socket";
}

TEST_F(FindPort, LooksIntoTmpWithoutAnother) {
  process_.environment = {"TMPDIR="};
  EXPECT_EQ(find_port(process_).port.path(), "/tmp/" + name_);
}

}  // namespace
}  // namespace oriel::diagnostics
