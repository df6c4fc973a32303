// Layouts of call contexts live as long as the process, so there must be one of each however often a method is
// rewritten.
#include "engine/call_context.h"

#include <gtest/gtest.h>

#include <set>

namespace oriel::test {
namespace {

// A new layout with new texts, as each rewriting creates them.
CallLayout layout_of(const std::string& second_argument) {
  CallLayout made;
  made.self = {ORIEL_VALUE_OBJECT, 8, 0, nullptr};
  made.arguments = {{ORIEL_VALUE_I4, 4, 1, lasting_text("int")},
                    {ORIEL_VALUE_STRUCT, 0, 2, lasting_text(std::string(second_argument))}};
  made.result = {ORIEL_VALUE_BOOL, 1, 4, lasting_text("bool")};
  made.slots = 5;
  return made;
}

TEST(CallLayouts, AHundredRewritingsMakeOne) {
  std::set<const CallLayout*> layouts;
  std::set<const std::string*> texts;
  for (int i = 0; i < 100; ++i) {
    layouts.insert(lasting_layout(layout_of("System.Collections.Generic.KeyValuePair<int, string>")));
    texts.insert(lasting_text("System.Collections.Generic.KeyValuePair<int, string>"));
  }
  EXPECT_EQ(layouts.size(), 1u);
  EXPECT_EQ(texts.size(), 1u);
}

TEST(CallLayouts, OfOtherValuesAreOthers) {
  const CallLayout* one = lasting_layout(layout_of("System.Guid"));
  EXPECT_NE(lasting_layout(layout_of("System.DateTime")), one);
  CallLayout more = layout_of("System.Guid");
  more.locals.push_back({ORIEL_VALUE_I8, 8, 5, lasting_text("long")});
  EXPECT_NE(lasting_layout(more), one);
  EXPECT_EQ(lasting_layout(layout_of("System.Guid")), one);
  EXPECT_EQ(*one->arguments[1].type, "System.Guid");
}

}  // namespace
}  // namespace oriel::test
