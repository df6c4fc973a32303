// The man page: options and lists come from their definitions, and only what these do not say stands in its source.
#include "manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace oriel::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Manual : public ::testing::Test {
 protected:
  Manual() {
    app_.add_subcommand("plain", "Do it");
    CLI::App* const shop = app_.add_subcommand("shop", "Sell");
    shop->add_option("-o,--output", text_, "The FILE; see --all, `oriel shop`")->type_name("FILE");
    shop->add_option("--mode", text_, "fast: at once (default); slow: later")->type_name("fast|slow")->expected(0, 1);
    CLI::App* const part = shop->add_subcommand("part", "Sell less");
    part->add_option("-o,--output", text_, "The FILE")->type_name("FILE");
    part->add_flag("--only", flag_, "Nothing else")->group("Others");
    shop->add_flag("--grouped", flag_, "That's in a group")->group("Others");
    shop->add_flag("--all", flag_, "Everything");
  }

  std::string page_of(const std::string& source) {
    const Result<std::string> page = manual_page(source, app_);
    EXPECT_TRUE(page) << page.message();
    return page ? *page : "";
  }
  std::string error_of(const std::string& source) {
    const Result<std::string> page = manual_page(source, app_);
    return page ? "" : page.message();
  }

  CLI::App app_{"", "oriel"};
  std::string text_;
  bool flag_ = false;
};

TEST_F(Manual, HasEachOptionAndWhatTheSourceAdds) {
  EXPECT_EQ(page_of(".SH SHOP\n@options shop\n@about --output\nMore.\n@end\nLast.\n"), R"(.SH SHOP
.TP
\fB\-o\fP \fIFILE\fP, \fB\-\-output\fP \fIFILE\fP
The \fIFILE\fP; see \fB\-\-all\fP, \fBoriel shop\fP.
More.
.TP
\fB\-\-mode\fP[=\fBfast\fP|\fBslow\fP]
\fBfast\fP: at once (default); \fBslow\fP: later.
.TP
\fB\-\-all\fP
Everything.
.SS Others
.TP
\fB\-\-grouped\fP
That's in a group.
Last.
)");
}

TEST_F(Manual, OfASubcommandHasWhatItsCommandLacks) {
  EXPECT_EQ(page_of("@options shop part\n@end\n"),
            ".TP\n\\fB\\-\\-only\\fP\nNothing else.\n.PP\nIt also takes these options of \\fBoriel shop\\fP: "
            "\\fB\\-\\-output\\fP.\n");
}

TEST_F(Manual, RefusesWhatFitsNothing) {
  EXPECT_EQ(error_of("x\n@options shop\n@about --gone\n@end\n"), "line 3: --gone is not in this part");
  EXPECT_EQ(error_of("@options gone\n@end\n"), "line 1: @options gone is no instruction, or names no command");
  EXPECT_EQ(error_of("@options shop\ntext\n@end\n"), "line 2: text belongs to no @about");
  EXPECT_EQ(error_of("@options shop\n"), "line 1: the last part has no @end");
}

TEST_F(Manual, ListsReportsAndFormats) {
  const std::string page = page_of("@reports\n@about waits\nMore.\n@end\n@formats\n@end\n@weights\n@end\n");
  EXPECT_THAT(page, HasSubstr(".TP\n\\fBwaits\\fP\nWhat threads waited for, and where in your code.\nMore.\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fBcallers\\fP \\fIMETHOD\\fP\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fBspeedscope\\fP\n"));
  EXPECT_THAT(page, HasSubstr(".TP\n\\fBcalls\\-time\\fP\n"));
  EXPECT_THAT(page, Not(HasSubstr("@")));
}

}  // namespace
}  // namespace oriel::cli
