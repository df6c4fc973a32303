// What a tool passes to the engine that it attaches.
#include "base/process/attach_data.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::string_literals;

TEST(AttachData, IsReadAsItWasWritten) {
  const AttachData data{.profilers = "log:hz=1000,out=/tmp/a b.oriel;other"};
  const std::string text = attach_text(data);
  EXPECT_EQ(text, "ORIEL_PROFILERS=log:hz=1000,out=/tmp/a b.oriel;other\0"s);
  const Result<AttachData> read = parse_attach_data(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->profilers, data.profilers);
  EXPECT_FALSE(read->changes_code);
  const AttachData more{.changes_code = true, .profilers = "log"};
  EXPECT_EQ(attach_text(more), "ORIEL_CHANGES_CODE=1\0ORIEL_PROFILERS=log\0"s);
  EXPECT_TRUE(parse_attach_data(attach_text(more))->changes_code);
}

TEST(AttachData, SaysWhatIsWrong) {
  const auto wrong = [](const std::string& text) {
    const Result<AttachData> read = parse_attach_data(text);
    return read ? "" : read.message();
  };
  EXPECT_EQ(wrong(""), "its data names no module");
  EXPECT_EQ(wrong("ORIEL_PROFILERS=log"), "its data is cut short");
  EXPECT_EQ(wrong("ORIEL_PROFILERS=log\0ORIEL_FUTURE=1\0"s), "its data has an unknown entry");
  EXPECT_EQ(wrong("ORIEL_CHANGES_CODE=yes\0ORIEL_PROFILERS=log\0"s), "its data has an unknown entry");
  EXPECT_EQ(wrong("ORIEL_PROFILERS\0"s), "its data names no module");
  EXPECT_EQ(wrong("\0\0\0"s), "its data has an unknown entry");
}

}  // namespace
}  // namespace oriel
