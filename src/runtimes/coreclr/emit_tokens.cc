#include "runtimes/coreclr/emit_tokens.h"

namespace oriel::coreclr {

Result<Token> EmitTokens::signature(ModuleID module, std::span<const uint8_t> bytes) {
  const std::lock_guard guard(lock_);
  Module& known = modules_[module];
  if (!known.emit) {
    ComPtr<MetaDataEmit> emit;
    auto** slot = reinterpret_cast<IUnknown**>(emit.receive());
    if (failed(info_.GetModuleMetaData(module, kOpenRead | kOpenWrite, kIMetaDataEmitId, slot))) {
      return Status::error("the module's metadata cannot be added to");
    }
    known.emit = std::move(emit);
  }
  std::vector<uint8_t> key(bytes.begin(), bytes.end());
  const auto found = known.signatures.find(key);
  if (found != known.signatures.end()) return found->second;
  Token token = 0;
  if (failed(known.emit->GetTokenFromSig(key.data(), static_cast<uint32_t>(key.size()), &token))) {
    return Status::error("the runtime refused a signature");
  }
  known.signatures.emplace(std::move(key), token);
  return token;
}

void EmitTokens::forget(ModuleID module) {
  const std::lock_guard guard(lock_);
  modules_.erase(module);
}

}  // namespace oriel::coreclr
