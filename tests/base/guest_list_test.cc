#include "base/process/guest_list.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

constexpr const char* kId = "{5B0C1E5E-0000-4000-8000-00000000000A}";

TEST(GuestList, ReadsWhatItWrites) {
  const std::vector<GuestSpec> guests = {{kId, "/opt/a.so"}, {"{5B0C1E5E-0000-4000-8000-00000000000B}", "/opt/b=b.so"}};
  const auto read = parse_guests(guests_text(guests));
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(*read, guests);
}

TEST(GuestList, KeepsBlanksOfPathsThatItWrote) {
  const std::vector<GuestSpec> guests = {{kId, "/opt/a.so "}};
  const auto read = guests_of(guests_text(guests));
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(*read, guests);
}

TEST(GuestList, LeavesOutWhatIsNothing) {
  const auto read = parse_guests("# ours\r\n\n  {5b0c1e5e-0000-4000-8000-00000000000a}=/opt/with blank.so \r\n");
  ASSERT_TRUE(read) << read.message();
  EXPECT_EQ(*read, (std::vector<GuestSpec>{{kId, "/opt/with blank.so"}}));
  EXPECT_TRUE(parse_guests("")->empty());
}

TEST(GuestList, SaysWhereAnErrorIs) {
  const auto error = [](const char* text) { return parse_guests(text).message(); };
  const std::string id = kId;
  EXPECT_NE(error("nonsense").find("line 1, column 1: this is not a class id"), std::string::npos);
  EXPECT_NE(error("{5B0C1E5E-0000-4000-8000-00000000000G}=/a").find("column 37"), std::string::npos);
  EXPECT_NE(error(("\n " + id + " /a").c_str()).find("line 2, column 40: '=' is missing"), std::string::npos);
  EXPECT_NE(error((id + "=").c_str()).find("path is missing"), std::string::npos);
  EXPECT_NE(error((id + "=/a\n" + id + "=/a").c_str()).find("line 2, column 1"), std::string::npos);
}

TEST(GuestList, TwoLibrariesMayHaveOneClass) {
  const std::string id = kId;
  EXPECT_EQ(parse_guests(id + "=/a\n" + id + "=/b")->size(), 2u);
}

TEST(GuestList, ClassIdsAreWrittenInManyWays) {
  EXPECT_EQ(canonical_clsid("5b0c1e5e-0000-4000-8000-00000000000a"), kId);
  EXPECT_EQ(canonical_clsid(kId), kId);
  EXPECT_EQ(canonical_clsid("5b0c1e5e"), "");
  EXPECT_EQ(canonical_clsid(std::string(kId) + "x"), "");
}

}  // namespace
}  // namespace oriel
