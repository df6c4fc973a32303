// Adds 1000 to what Subjects.Other returns. While that is compiled, another thread removes a plug-in: this one (1), or
// in BeforeInstrumentMethod the other library's that adds 16 (2).
#include <cstdio>
#include <thread>

#include "small.h"

namespace small {
namespace {

constexpr Number kItself = 1, kOther = 2;
constexpr Guid kAdds16 = {0x5b0c1e5e, 1, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, 16}};

class Leaving final : public Method {
 public:
  using Method::Method;

  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool, Bool* instrument) override {
    if (is_out_) std::fprintf(stderr, "asked about %s\n", name_of(method).c_str());
    *instrument = name_of(method) == "Subjects.Other";
    return kOk;
  }
  HResult BeforeInstrumentMethod(IMethodInfo*, Bool) override {
    if (number_ != kOther) return kOk;
    ComPtr<IUnknown> other;
    manager_->GetInstrumentationMethod(kAdds16, other.receive());
    take_out(query<IInstrumentationMethod>(other.get()).get());
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override {
    if (number_ == kItself) {
      take_out(this);
      is_out_ = true;
    }
    return add_to_result(method, 1000);
  }
  HResult OnInstrumentationComplete(IMethodInfo* method, Bool) override {
    std::fprintf(stderr, "complete %s\n", name_of(method).c_str());
    return kOk;
  }
  HResult OnShutdown() override { return std::fprintf(stderr, "shutdown\n"), kOk; }

 private:
  void take_out(IInstrumentationMethod* method) {
    std::thread([&] {
      std::fprintf(stderr, "out %08x\n", static_cast<unsigned>(manager_->RemoveInstrumentationMethod(method)));
    }).join();
  }

  bool is_out_ = false;
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Leaving(number); }

}  // namespace small
