#include "runtimes/coreclr/instrument/emit_tokens.h"

namespace oriel::coreclr {

Result<Token> EmitTokens::signature(ModuleID module, std::span<const uint8_t> bytes) {
  return token_for(module, bytes, &Module::signatures, &MetaDataEmit::GetTokenFromSig);
}

Result<Token> EmitTokens::type_spec(ModuleID module, std::span<const uint8_t> type) {
  return token_for(module, type, &Module::types, &MetaDataEmit::GetTokenFromTypeSpec);
}

Result<Token> EmitTokens::token_for(ModuleID module, std::span<const uint8_t> bytes,
                                    std::map<std::vector<uint8_t>, Token> Module::*list, Make make) {
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
  const auto found = (known.*list).find(key);
  if (found != (known.*list).end()) return found->second;
  Token token = 0;
  if (failed((known.emit.get()->*make)(key.data(), static_cast<uint32_t>(key.size()), &token))) {
    return Status::error("the runtime refused a signature");
  }
  (known.*list).emplace(std::move(key), token);
  return token;
}

void EmitTokens::forget(ModuleID module) {
  const std::lock_guard guard(lock_);
  modules_.erase(module);
}

}  // namespace oriel::coreclr
