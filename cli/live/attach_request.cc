#include "live/attach_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <thread>

#include "base/process/coreclr_clsid.h"
#include "diagnostics/calls.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct Refusal {
  uint32_t error;
  const char* why;
  milliseconds again_within{0};  // 0: it is final
};
constexpr Refusal kRefusals[] = {
    {0x8013135b, "its runtime is still starting", milliseconds(10'000)},
    {0x8013136a, "another profiler is in it", milliseconds(5'000)},
    {0x80131368, "Oriel's engine declined; is the program about to run out of threads?"},
    {0x8007007e, "it cannot load liboriel.so"},
    {0x80131385, "its runtime takes no profiler while it runs"},
};

const Refusal* known_refusal(uint32_t error) {
  const Refusal* const found = std::ranges::find(kRefusals, error, &Refusal::error);
  return found == std::end(kRefusals) ? nullptr : found;
}

}  // namespace

Status request_attach(const diagnostics::Port& port, const std::string& engine, const AttachData& data,
                      std::chrono::microseconds& took) {
  constexpr milliseconds kPause{3}, kAnswer{20'000};
  const std::string text = attach_text(data);
  const Result<diagnostics::Bytes> message =
      diagnostics::attach_request({ORIEL_CORECLR_CLSID, engine, diagnostics::Bytes(text.begin(), text.end()), kAnswer});
  if (!message) return message.status();
  const Clock::time_point first = Clock::now();
  for (;;) {
    const Clock::time_point begin = Clock::now();
    diagnostics::Call call{port, *message};
    diagnostics::make_calls({&call, 1}, kAnswer);
    if (!call.outcome) return call.outcome.status();
    took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    const uint32_t error = call.outcome->error;
    if (error == 0) return Status::ok();
    const Refusal* const known = known_refusal(error);
    if (!known) return Status::error(fmt::format("its runtime refuses (0x{:08x})", error));
    if (Clock::now() - first >= known->again_within) return Status::error(known->why);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace oriel::cli
