// What tests of the page run their scripts in: the page of a small shop, made by hand.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "exports/build_profile.h"
#include "viewer/browser.h"

namespace oriel::testing {

using nlohmann::json;

class Viewer : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_browser(); !why.empty()) GTEST_SKIP() << why;
  }

  // Runs the script in the profile's page; what it reported.
  static json run(const profile::Profile& profile, const std::string& script, Clock clock = Clock::kJumping,
                  const exports::Options& options = {}) {
    json reported = run_in_browser(page_with_script(profile, script, options), clock);
    EXPECT_TRUE(reported.is_object()) << "the page's script did not come to its end";
    if (!reported.is_object()) return json::object();
    EXPECT_FALSE(reported.contains("error")) << reported["error"];
    EXPECT_FALSE(reported.contains("violation")) << "the page asked the network for " << reported["violation"];
    return reported;
  }
};

// Main 100 %: Add 60 % (Sum 40 %, of which memcpy 10 %), Print 30 %; Main itself 10 %. Heaviest left.
inline ProfileBuilder shop() {
  ProfileBuilder builder;
  const uint32_t main = builder.thread("Main", 100), pool = builder.thread("Pool", 101);
  const uint32_t run = builder.function("Shop.Program.Main(string[])", "Shop.dll");
  const uint32_t add =
      builder.function("Shop.Cart.AddAsync(int)", "Shop.dll", true, "Shop.Cart.<AddAsync>d__3.MoveNext");
  const uint32_t sum = builder.function("Shop.Cart.Sum()", "Shop.dll");
  const uint32_t print = builder.function("write", "libtea.so", false);
  const uint32_t copy = builder.function("JIT_MemCpy", "libcoreclr.so", false);
  builder.sample(main, builder.stack({run}), 100);
  builder.sample(main, builder.stack({run, add}), 200);
  builder.sample(pool, builder.stack({run, add, sum}), 300);
  builder.sample(main, builder.stack({run, add, sum, copy}), 100);
  builder.sample(main, builder.stack({run, print}), 300);
  builder.profile().wall_ns = 2'500'000'000;
  builder.profile().usage.user_us = 1'000'000;
  builder.profile().usage.max_rss_kb = 50'000;
  builder.profile().unfiltered_periods = 1000;
  builder.profile().lost = {{"buffer-full", 10}, {"stack-broken", 7}};
  return builder;
}

// The shop with logged calls and allocations: Main calls Add twice, which makes three items.
inline profile::Profile logged_shop() {
  ProfileBuilder builder = shop();
  profile::Profile& profile = builder.profile();
  const uint32_t main = builder.function("Shop.Program.Main(string[])", "Shop.dll"),
                 add = builder.function("Shop.Cart.AddAsync(int)", "Shop.dll"),
                 item = builder.function("Shop.Item", "Shop.dll");
  profile.functions[item].type = true;
  profile.call_nodes = {{}, {0, main, false}, {1, add, false}};
  profile.call_figures = {{}, {0, 1, 1, 0, 0, 3'000'000, 3'000'000}, {0, 2, 2, 0, 0, 1'000'000, 1'000'000}};
  profile.allocations = {{0, 2, item, add, 3, 4'500}};
  profile.call_totals = {{.enters = 3, .allocated = 3}};
  return profile;
}

}  // namespace oriel::testing
