// The exception that ends a program: type, message and throwing place.
#include <gmock/gmock.h>

#include "oriel/oriel.h"
#include "profile/build/builder.h"
#include "profile/merge.h"
#include "shop/shop_log.h"

namespace oriel::profile {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class Aborts : public ::testing::Test {
 protected:
  Aborts() {
    log::Intro intro = testing::shop_intro();
    intro.properties.emplace_back("exceptions.stacks", "yes");
    builder_.on_intro(intro);
    builder_.on_clock(testing::clock_at(0));
    builder_.on_class({1, 0, 0, "Shop.Refusal"});
    const char* const names[] = {"Shop.Cart.Add(int)", "System.Runtime.ExceptionServices.ExceptionDispatchInfo.Throw()",
                                 "System.Environment.FailFast(string)"};
    for (uint64_t i = 0; i < std::size(names); ++i) {
      log::MethodName method;
      method.id = i + 1;
      method.name = names[i];
      builder_.on_method(method);
      log::StackNode node;
      node.id = i + 1;
      node.frame = i + 1;
      builder_.on_stack_node(node);
    }
  }

  void message(uint64_t ms, const char* text) {
    log::Event event = testing::event_at(ms, 1, "exception_message", {1, 0});
    event.text = text;
    builder_.on_event(event);
  }
  void thrown(uint64_t ms, uint64_t stack) { tell(testing::event_at(ms, 1, "exception_throw", {1}), stack); }
  void caught(uint64_t ms) { tell(testing::event_at(ms, 1, "exception_clause", {1, ORIEL_CLAUSE_CATCH, 1}), 0); }
  void aborted(uint64_t ms, uint64_t stack) { tell(testing::event_at(ms, 1, "process_abort", {}), stack); }
  void tell(log::Event event, uint64_t stack) {
    event.stack = stack;
    builder_.on_event(event);
  }
  Profile finish() { return builder_.finish({}); }
  static std::string function_at(const Profile& profile, uint32_t node) {
    return profile.functions[profile.nodes[node].function].name;
  }

 private:
  Builder builder_;
};

TEST_F(Aborts, AreByTheExceptionThatNobodyCaught) {
  message(1, "first");
  thrown(2, 1);
  caught(3);
  message(4, "second");
  thrown(5, 1);
  aborted(6, 1);
  const Profile profile = finish();
  ASSERT_THAT(profile.aborts, SizeIs(1));
  const Abort& abort = profile.aborts[0];
  EXPECT_EQ(abort.cause, Abort::Cause::kException);
  EXPECT_EQ(abort.type, "Shop.Refusal");
  EXPECT_EQ(abort.message, "second");
  EXPECT_EQ(function_at(profile, abort.stack), "Shop.Cart.Add(int)");
  EXPECT_EQ(abort.first_at, 0u);
  EXPECT_THAT(profile.exception_messages, SizeIs(2));
}

TEST_F(Aborts, OfWhatIsThrownAgainTellWhereItWasFirst) {
  message(1, "first");
  thrown(2, 1);
  caught(3);
  thrown(5, 2);
  aborted(6, 2);
  const Abort abort = finish().aborts.at(0);
  EXPECT_EQ(abort.message, "first");
  EXPECT_NE(abort.first_at, 0u);
}

TEST_F(Aborts, ByFailFastAreNotByAnException) {
  thrown(2, 1);
  aborted(6, 3);
  const Abort abort = finish().aborts.at(0);
  EXPECT_EQ(abort.cause, Abort::Cause::kFailFast);
  EXPECT_EQ(abort.type, "");
}

TEST_F(Aborts, WithoutAnExceptionAreTheRuntimesOwn) {
  thrown(2, 1);
  caught(3);
  aborted(6, 0);
  EXPECT_EQ(finish().aborts.at(0).cause, Abort::Cause::kOther);
}

TEST_F(Aborts, AreOfTheirProcessInSeveral) {
  thrown(5, 1);
  aborted(6, 1);
  const Profile merged = merge({testing::shop_profile(), finish()});
  ASSERT_THAT(merged.aborts, SizeIs(1));
  EXPECT_EQ(function_at(merged, merged.aborts[0].stack), "Shop.Cart.Add(int)");
  EXPECT_LT(merged.aborts[0].thread, merged.threads.size());
  EXPECT_THAT(testing::shop_profile().aborts, IsEmpty());
}

}  // namespace
}  // namespace oriel::profile
