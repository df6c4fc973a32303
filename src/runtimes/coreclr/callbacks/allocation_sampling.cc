#include "runtimes/coreclr/callbacks/allocation_sampling.h"

#include <cmath>
#include <cstring>

#include "base/kept_errno.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"

namespace oriel::coreclr {
namespace {

constexpr uint64_t kAllocationSamplingKeyword = 0x80000000000;
constexpr uint32_t kInformational = 4;
// Each byte allocated is a sample with this chance, so that the gaps are of random length around it.
constexpr double kMeanBytes = 100 * 1024;

template <typename T>
bool read(std::span<const uint8_t>& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return true;
}

bool skip_text(std::span<const uint8_t>& bytes) {
  for (uint16_t unit = 1; unit != 0;) {
    if (!read(bytes, unit)) return false;
  }
  return true;
}

}  // namespace

void AllocationSampling::turn(bool on) {
  if (on == on_) return;
  if (!on) {
    info_.EventPipeStopSession(session_);
    on_ = false;
    return;
  }
  EventPipeProviderConfig provider{u"Microsoft-Windows-DotNETRuntime", kAllocationSamplingKeyword, kInformational,
                                   nullptr};
  on_ = succeeded(info_.EventPipeStartSession(1, &provider, 0, &session_));
  if (!on_ && !said_refused_) {
    said_refused_ = true;
    warn("this runtime does not sample allocations (.NET 10 does); ask for exact ones");
  }
}

// AllocationSampled: kind (32 bits), runtime's number (16), class, its name, address, size (64), sampled byte (64).
std::optional<SampledAllocation> read_sampled_allocation(std::span<const uint8_t> fields) {
  uint32_t kind = 0;
  uint16_t runtime = 0;
  uint64_t klass = 0, address = 0, size = 0;
  if (!read(fields, kind) || !read(fields, runtime) || !read(fields, klass) || !skip_text(fields) ||
      !read(fields, address) || !read(fields, size) || klass == 0 || size == 0) {
    return std::nullopt;
  }
  // An object of so many bytes is in the sample with the chance that any of them is.
  const double chance = -std::expm1(-static_cast<double>(size) / kMeanBytes);
  return SampledAllocation{klass, size, static_cast<uint64_t>(std::llround(static_cast<double>(size) / chance))};
}

// On the thread that allocates, before it has the object. The class is asked about later: the thread runs managed code.
HResult Callback::EventPipeEventDelivered(uintptr_t, uint32_t event, uint32_t, uint32_t, const uint8_t*, uint32_t size,
                                          const uint8_t* fields, const Guid*, const Guid*, ThreadID, uint32_t,
                                          uintptr_t*) {
  const KeptErrno kept;
  return guarded([&] {
    if (event != kAllocationSampled || !is_wanted(oriel_event_gc_allocation_sampled) || fields == nullptr) return;
    const auto allocation = read_sampled_allocation({fields, size});
    if (!allocation) return;
    oriel_class* known = find_class(allocation->klass);
    raise_gc_allocation_sampled(known != nullptr ? known : intern_class(allocation->klass), allocation->size,
                                allocation->represented);
  });
}

}  // namespace oriel::coreclr
