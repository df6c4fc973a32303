#include "runtimes/coreclr/guests/bodies/captured_version.h"

namespace oriel::coreclr {
namespace {

constexpr Guid kFunctionControlId = {0xf0963021, 0xe1ea, 0x4732, {0x85, 0x81, 0xe0, 0x1b, 0x0b, 0xd3, 0xc0, 0xc6}};

}  // namespace

HResult CapturedVersion::QueryInterface(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  const bool known = id == kIUnknownId || id == kFunctionControlId;
  *object = known ? static_cast<FunctionControl*>(this) : nullptr;
  if (known) AddRef();
  return known ? kOk : kNoInterface;
}

uint32_t CapturedVersion::Release() {
  const uint32_t left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
  if (left == 0) delete this;
  return left;
}

HResult CapturedVersion::SetCodegenFlags(uint32_t flags) {
  if (closed_) return kFail;
  flags_ = flags;
  return kOk;
}

HResult CapturedVersion::SetILFunctionBody(uint32_t size, const uint8_t* body) {
  if (closed_) return kFail;
  if (size == 0 || body == nullptr) return kInvalidArgument;
  body_.assign(body, body + size);
  return kOk;
}

HResult CapturedVersion::SetILInstrumentedCodeMap(uint32_t count, IlMapEntry* entries) {
  if (closed_) return kFail;
  if (count != 0 && entries == nullptr) return kInvalidArgument;
  map_.assign(entries, entries + count);
  return kOk;
}

}  // namespace oriel::coreclr
