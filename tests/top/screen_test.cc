#include "top/screen.h"

#include <gmock/gmock.h>

#include "profile/shop/tell_calls.h"
#include "report/words/text.h"
#include "top_view.h"

namespace oriel {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::shop_view;
using top::Key;
using top::PageId;
using top::Size;
using top::State;

constexpr Size kSizes[] = {{30, 100}, {24, 80}, {10, 40}, {5, 20}, {2, 10}, {1, 1}};

std::string shown(const top::View& view, const Size& size, State& state) {
  std::string text;
  for (const top::Line& line : top::screen(view, size, state)) text += top::text_of(line) + "\n";
  return text;
}

void type(const std::string& text, const top::View& view, State& state) {
  for (const char byte : text) top::press({Key::kText, byte}, view, {24, 80}, state);
}

TEST(TopScreen, FitsEachSize) {
  const top::View view = shop_view();
  for (const Size& size : kSizes) {
    for (size_t page = 0; page < top::kPages; ++page) {
      State state;
      state.page = static_cast<PageId>(page);
      const std::vector<top::Line> lines = top::screen(view, size, state);
      EXPECT_EQ(lines.size(), size.rows);
      for (const top::Line& line : lines) EXPECT_LE(report::display_width(top::text_of(line)), size.columns);
    }
  }
}

TEST(TopScreen, SaysWhatMatters) {
  State state;
  const std::string large = shown(shop_view(), {30, 100}, state);
  for (const char* text :
       {"Shop (4711), up 2 min 03 s   CPU 150 %   23 threads   181 MB", "CPU  ", "Memory  ", "Exceptions",
        "Pool        4 workers", "CPU%▼", "TOTAL%", "MOSTLY", "Shop.Cart.AddAsync", "1 methods", "q quit"})
    EXPECT_THAT(large, HasSubstr(text));
  const std::string small = shown(shop_view(), {10, 40}, state);
  for (const char* text : {"Shop (4711)", "CPU  ", "AddAsync", "h help"}) EXPECT_THAT(small, HasSubstr(text));
}

TEST(TopScreen, NamesCannotControlTheTerminal) {
  testing::CallTeller teller;
  teller.property("alloc", "sampled")
      .name_class(3, "Evil\x1b[2J\nType")
      .with(teller.stack(0, 1))
      .sample(1000, 3, 24, 100'000);
  State state;
  state.page = PageId::kMemory;
  const std::string text = shown(shop_view(teller.finish()), {24, 80}, state);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("Evil"));
}

TEST(TopScreen, KeysChooseThePage) {
  const top::View view = shop_view();
  State state;
  type("4", view, state);
  EXPECT_EQ(state.page, PageId::kExceptions);
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("TYPE OF EXCEPTIONS"));
  top::press({Key::kTab}, view, {24, 80}, state);
  EXPECT_EQ(state.page, PageId::kWaits);
  top::press({Key::kBackTab}, view, {24, 80}, state);
  EXPECT_EQ(state.page, PageId::kExceptions);
}

TEST(TopScreen, AFilterHidesRows) {
  const top::View view = shop_view();
  State state;
  type("/addASYNC", view, state);
  EXPECT_TRUE(state.is_typing);
  top::press({Key::kEnter}, view, {24, 80}, state);
  EXPECT_FALSE(state.is_typing);
  ASSERT_EQ(top::shown_rows(view, state).size(), 1u);
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("/addASYNC"));
  type("/q", view, state);  // no key while it is typed
  EXPECT_FALSE(state.quits);
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("no row has \"addASYNCq\""));
  top::press({Key::kBackspace}, view, {24, 80}, state);
  EXPECT_EQ(state.filter, "addASYNC");
  top::press({Key::kEscape}, view, {24, 80}, state);
  EXPECT_EQ(state.filter, "");
}

TEST(TopScreen, EnterShowsCallersAndComesBack) {
  const top::View view = shop_view();
  State state;
  top::press({Key::kDown}, view, {24, 80}, state);
  const std::string name = top::shown_rows(view, state)[1]->name;
  top::press({Key::kEnter}, view, {24, 80}, state);
  ASSERT_TRUE(state.drill.has_value());
  EXPECT_EQ(state.drill->name, name);
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("CALLERS OF "));
  top::press({Key::kEscape}, view, {24, 80}, state);
  EXPECT_FALSE(state.drill.has_value());
  EXPECT_EQ(state.selected, 1u);
}

TEST(TopScreen, SortsByAnyColumnAndBackwards) {
  const top::View view = shop_view();
  State state;
  type("s", view, state);
  EXPECT_EQ(top::shown_rows(view, state)[0]->name, "Shop.Program.Main(string[])");
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("TOTAL%▼"));
  type("s", view, state);  // names
  std::vector<std::string> names;
  for (const top::Row* row : top::shown_rows(view, state)) names.push_back(row->name);
  EXPECT_TRUE(std::ranges::is_sorted(names));
  type("r", view, state);
  EXPECT_EQ(top::shown_rows(view, state)[0]->name, names.back());
  type("<", view, state);
  EXPECT_EQ(state.sorted[0], 1u);
}

TEST(TopScreen, TheSelectionStaysOnTheScreen) {
  const top::View view = shop_view();
  State state;
  state.page = PageId::kFunctions;
  const Size size{6, 60};
  top::press({Key::kEnd}, view, size, state);
  EXPECT_EQ(state.selected, view.page(PageId::kFunctions).rows.size() - 1);
  shown(view, size, state);
  EXPECT_GT(state.first, 0u);
  EXPECT_LT(state.selected - state.first, top::body_rows(view, size, state));
  top::press({Key::kPageUp}, view, size, state);
  top::press({Key::kHome}, view, size, state);
  shown(view, size, state);
  EXPECT_EQ(state.first, 0u);
}

TEST(TopScreen, LettersThatActAndHelp) {
  const top::View view = shop_view();
  State state;
  type("h", view, state);
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("any key: back"));
  type("x", view, state);
  EXPECT_FALSE(state.shows_help);
  type("p", view, state);
  EXPECT_THAT(shown(view, {24, 80}, state), HasSubstr("frozen"));
  type("w", view, state);
  EXPECT_TRUE(state.saves);
  type("q", view, state);
  EXPECT_TRUE(state.quits);
}

TEST(TopScreen, WithoutUtf8EachColumnStays) {
  EXPECT_EQ(top::as_ascii("Café… µs 漢▼"), "Caf?~ us ??v");
  EXPECT_EQ(top::as_ascii("plain"), "plain");
}

}  // namespace
}  // namespace oriel
