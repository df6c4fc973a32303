// On a runtime older than those that Oriel is tested with, Oriel declines and reports it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coreclr/fake_info.h"
#include "runtimes/coreclr/callbacks/callback.h"

namespace oriel::coreclr {
namespace {

struct RuntimeOf : FakeInfo<RuntimeOf> {
  explicit RuntimeOf(uint16_t number) : version(number) {}
  const uint16_t version;
  using FakeInfo::answer;
  template <typename... Rest>
  HResult answer(SlotTag<InfoSlot::kGetRuntimeInformation>, uint16_t*, uint32_t*, uint16_t* major, Rest...) {
    *major = version;
    return kOk;
  }
};

struct NoOtherProfilers : OtherProfilers {
  std::vector<oriel_guest> guests() const override { return {}; }
  Status add(const std::string&) override { return Status(); }
  EventMask mask_in_force() const override { return {}; }
  HResult set_body_for_all(const MethodKey&, const uint8_t*) override { return kOk; }
};

TEST(OlderRuntime, IsLeftAlone) {
  for (const uint16_t version : {5, 6, 7}) {
    RuntimeOf runtime(version);
    NoOtherProfilers other_profilers;
    Callback callback(other_profilers);
    testing::internal::CaptureStderr();
    EXPECT_EQ(callback.Initialize(reinterpret_cast<IUnknown*>(&runtime)), kCancelActivation);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "oriel: this is .NET " + std::to_string(version) +
                  ", and Oriel works with .NET 8 and later: the program runs without Oriel\n");
  }
}

}  // namespace
}  // namespace oriel::coreclr
