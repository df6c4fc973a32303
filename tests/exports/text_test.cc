#include "exports/text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "exports/hostile.h"

namespace oriel::exports {
namespace {

using namespace std::string_literals;

TEST(CleanText, KeepsWhatIsFine) {
  EXPECT_EQ(clean_text("Shop.Cart.Add(int, string)"), "Shop.Cart.Add(int, string)");
  EXPECT_EQ(clean_text("Größe.计算 \xF0\x9F\x94\xA5"), "Größe.计算 \xF0\x9F\x94\xA5");
  EXPECT_EQ(clean_text(""), "");
}

TEST(CleanText, ReplacesWhatIsNoUtf8ByteByByte) {
  EXPECT_EQ(clean_text("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(clean_text("cut\xE2\x82"), "cut\uFFFD\uFFFD");
  EXPECT_EQ(clean_text("\xC0\xAF"), "\uFFFD\uFFFD");            // overlong '/'
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(CleanText, LeavesNothingThatControls) {
  EXPECT_EQ(clean_text("a\nb\tc\rd"), "a b c d");
  EXPECT_EQ(clean_text("\x1b[31m\x7f\0"s), "\uFFFD[31m\uFFFD\uFFFD");
  EXPECT_EQ(clean_text("\u0085\u2028\u2029\u202E\u2066\uFEFF"), "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(CleanText, IsCleanTheSecondTime) {
  for (const std::string& name : testing::hostile_names()) {
    const std::string once = clean_text(name);
    EXPECT_EQ(clean_text(once), once);
  }
}

TEST(JsonString, ReadsBackAsTheCleanText) {
  for (const std::string& name : testing::hostile_names())
    EXPECT_EQ(nlohmann::json::parse(json_string(name)).get<std::string>(), clean_text(name));
}

TEST(EscapeForScript, LeavesNoMarkupAndTheSameJson) {
  const std::string json = json_string("</script><!-- & \"x\"");
  const std::string safe = escape_for_script(json);
  EXPECT_EQ(safe.find_first_of("<>&"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(safe), nlohmann::json::parse(json));
}

}  // namespace
}  // namespace oriel::exports
