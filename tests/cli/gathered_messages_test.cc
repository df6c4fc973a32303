#include "run/gathered_messages.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

namespace oriel::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(GatheredMessages, AreToldOnceWithWhereTheyHold) {
  EXPECT_THAT(summarized("", 3), IsEmpty());
  EXPECT_THAT(summarized("12 all is lost\n13 all is lost\n12 all is lost\n12 one\n13 two\n14 two\n14 all is lost\n", 3),
              ElementsAre("all is lost", "in process 12: one", "in 2 of 3 processes: two"));
  EXPECT_THAT(summarized("12 no log\n", 0), ElementsAre("no log")) << "nobody wrote one";
  EXPECT_THAT(summarized("12 torn", 1), ElementsAre("torn"));
  EXPECT_THAT(summarized("nonsense\n\n", 1), IsEmpty());
}

TEST(GatheredMessages, StandInAFileThatGoesAway) {
  std::string path;
  {
    GatheredMessages messages;
    EXPECT_EQ(messages.path(), "");
    EXPECT_EQ(messages.take(), "");
    messages.start();
    path = messages.path();
    ASSERT_NE(path, "");
    std::ofstream(path, std::ios::app) << "1 a\n";
    const int file = open(path.c_str(), O_RDONLY);
    EXPECT_NE(flock(file, LOCK_EX | LOCK_NB), 0) << "or who writes would tell it in our place";
    close(file);
    EXPECT_EQ(messages.take(), "1 a\n");
    EXPECT_NE(access(path.c_str(), F_OK), 0);
  }
  {
    GatheredMessages messages;
    messages.start();
    path = messages.path();
  }
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace oriel::cli
