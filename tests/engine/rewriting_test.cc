// Rewriters change bodies one after the other; what is refused or thrown leaves the body as it was.
#include "engine/code/rewriting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/engine.h"
#include "engine/filters.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

using Bytes = std::vector<uint8_t>;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Bytes kOriginal = {1, 2, 3};

// Even numbers are bad.
struct Site final : CodeSite {
  Status check(std::span<const uint8_t> body) const override {
    return body.back() % 2 ? Status::ok() : Status::error("IL_0001: it is even");
  }
  std::span<const uint8_t> signature() const override { return {}; }
  std::span<const uint8_t> signature_of(uint32_t) const override { return {}; }
  Result<uint32_t> token(NamedToken, const std::string&) override { return Status::error("none"); }
  Result<Bytes> type(const std::string&) override { return Status::error("none"); }
  Result<uint32_t> signature_token(std::span<const uint8_t>) override { return Status::error("none"); }
  std::string type_text(std::span<const uint8_t>) const override { return {}; }
};

// Appends `Number`.
template <uint8_t Number>
void append(oriel_profiler*, oriel_method*, oriel_method_body* body) {
  size_t size = 0;
  const uint8_t* bytes = oriel_method_body_bytes(body, &size);
  Bytes longer(bytes, bytes + size);
  longer.push_back(Number);
  EXPECT_EQ(oriel_method_body_replace(body, longer.data(), longer.size()), Number % 2 == 1);
}
void append_and_throw(oriel_profiler* profiler, oriel_method* method, oriel_method_body* body) {
  append<5>(profiler, method, body);
  throw std::runtime_error("rewriter");
}

class Rewriting : public testing::Test {
 protected:
  void SetUp() override { forget_refusals(); }
  void TearDown() override {
    for (oriel_profiler_handle profiler : profilers_) oriel_profiler_set_rewriter_callbacks(profiler, nullptr, nullptr);
  }
  void add(oriel_rewriter_cb rewriter) {
    profilers_.push_back(oriel_profiler_create(nullptr));
    oriel_profiler_set_rewriter_callbacks(
        profilers_.back(), [](oriel_profiler*, oriel_method*) { return true; }, rewriter);
  }
  Bytes run() {
    Bytes bytes;
    said_ = test::said_by([&] { bytes = rewritten_body(*method_, nullptr, kOriginal, site_).bytes; });
    return bytes;
  }

  Site site_;
  oriel_method* method_ = intern_method(0xb0d1);
  std::vector<oriel_profiler_handle> profilers_;
  std::string said_;
};

TEST_F(Rewriting, NobodyLeavesTheBodyAsItIs) {
  EXPECT_THAT(run(), IsEmpty());
  add([](oriel_profiler*, oriel_method*, oriel_method_body*) {});
  EXPECT_THAT(run(), IsEmpty());
}

TEST_F(Rewriting, TheSameBytesAreNoChange) {
  add([](oriel_profiler*, oriel_method*, oriel_method_body* body) {
    EXPECT_TRUE(oriel_method_body_replace(body, kOriginal.data(), kOriginal.size()));
  });
  EXPECT_THAT(run(), IsEmpty());
}

TEST_F(Rewriting, EachGetsWhatTheOneBeforeLeft) {
  add(append<5>);
  add(append<7>);
  EXPECT_THAT(run(), ElementsAre(1, 2, 3, 5, 7));
  EXPECT_THAT(run(), ElementsAre(1, 2, 3, 5, 7)) << "from the original on each time";
  EXPECT_EQ(said_, "");
}

TEST_F(Rewriting, WhatIsRefusedOrThrownIsSaidAndDoesNotCount) {
  add(append<4>);
  add(append<7>);
  add(append_and_throw);
  EXPECT_THAT(run(), ElementsAre(1, 2, 3, 7));
  EXPECT_THAT(said_, HasSubstr("IL_0001: it is even"));
  EXPECT_THAT(said_, HasSubstr("threw"));
}

TEST_F(Rewriting, SettingARewriterAnewIsAnotherWish) {
  add(append<5>);
  const WantedChanges before = ask_filters(method_, nullptr);
  EXPECT_TRUE(before.any());
  EXPECT_EQ(ask_filters(method_, nullptr), before);
  oriel_profiler_set_rewriter_callbacks(
      profilers_[0], [](oriel_profiler*, oriel_method*) { return true; }, append<7>);
  const WantedChanges after = ask_filters(method_, nullptr);
  EXPECT_TRUE(after.any());
  EXPECT_FALSE(after == before);
  oriel_profiler_set_rewriter_callbacks(profilers_[0], nullptr, nullptr);
  EXPECT_FALSE(has_filters());
}

}  // namespace
}  // namespace oriel
