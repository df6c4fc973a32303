#include "modules/method_filter.h"

#include <gtest/gtest.h>

#include "fake_engine.h"

namespace oriel::modules {
namespace {

using Trivial = MethodFilter::Trivial;

class MethodFilterTest : public testing::Test {
 protected:
  MethodFilterTest() {
    image_.id = 1;
    image_.assembly = "Shop";
    for (oriel_method* method : {&getter_, &work_}) method->image = &image_;
    getter_.trivial = true;
  }
  bool wants(oriel_method& method, const char* patterns, Trivial trivial) {
    MethodFilter filter(std::move(*MethodPatterns::parse(patterns)), trivial);
    const bool wanted = filter.wants(&method);
    EXPECT_EQ(filter.wants(&method), wanted);  // and counts it once
    left_out_ = filter.trivial_left_out();
    return wanted;
  }

  oriel_image image_{};
  oriel_method getter_{1, "Shop.Cart.get_Total()", nullptr};
  oriel_method work_{2, "Shop.Cart.Add(int)", nullptr};
  uint64_t left_out_ = 0;
};

TEST_F(MethodFilterTest, TrivialMethodsAreLeftOutAndCounted) {
  EXPECT_FALSE(wants(getter_, "Shop.*", Trivial::kLeftOut));
  EXPECT_EQ(left_out_, 1u);
  EXPECT_TRUE(wants(work_, "Shop.*", Trivial::kLeftOut));
  EXPECT_EQ(left_out_, 0u);
  EXPECT_TRUE(wants(getter_, "Shop.*", Trivial::kIn));
  EXPECT_FALSE(wants(getter_, "Other.*", Trivial::kLeftOut));
  EXPECT_EQ(left_out_, 0u);  // nobody meant it
}

TEST_F(MethodFilterTest, APatternThatNamesJustOneBringsIt) {
  EXPECT_TRUE(wants(getter_, "Shop.Cart.get_Total", Trivial::kLeftOut));
  EXPECT_TRUE(wants(getter_, "Shop.*,[Shop]Shop.Cart.get_Total", Trivial::kLeftOut));
  EXPECT_FALSE(wants(getter_, "Shop.Cart.get_*", Trivial::kLeftOut));
  EXPECT_FALSE(wants(getter_, "Shop.Cart", Trivial::kLeftOut));
  EXPECT_FALSE(wants(getter_, "Shop.Cart.get_Total,Shop.*", Trivial::kLeftOut));  // the last decides
}

}  // namespace
}  // namespace oriel::modules
