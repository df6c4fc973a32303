#include "runtimes/coreclr/instrument/emit_tokens.h"

namespace oriel::coreclr {

using Bytes = std::vector<uint8_t>;

Result<Token> EmitTokens::signature(ModuleID module, std::span<const uint8_t> bytes) {
  const Bytes key(bytes.begin(), bytes.end());
  return token_for(module, key, &Module::signatures, [&](MetaDataEmit& emit, Token& token) {
    return emit.GetTokenFromSig(key.data(), static_cast<uint32_t>(key.size()), &token);
  });
}

Result<Token> EmitTokens::type_spec(ModuleID module, std::span<const uint8_t> type) {
  const Bytes key(type.begin(), type.end());
  return token_for(module, key, &Module::types, [&](MetaDataEmit& emit, Token& token) {
    return emit.GetTokenFromTypeSpec(key.data(), static_cast<uint32_t>(key.size()), &token);
  });
}

Result<Token> EmitTokens::type_ref(ModuleID module, Token scope, std::u16string_view name) {
  const std::pair<Token, std::u16string> key(scope, name);
  return token_for(module, key, &Module::type_refs, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineTypeRefByName(scope, key.second.c_str(), &token);
  });
}

Result<Token> EmitTokens::member_ref(ModuleID module, Token owner, std::u16string_view name,
                                     std::span<const uint8_t> signature) {
  const std::tuple<Token, std::u16string, Bytes> key(owner, name, Bytes(signature.begin(), signature.end()));
  return token_for(module, key, &Module::member_refs, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineMemberRef(owner, std::get<1>(key).c_str(), signature.data(),
                                static_cast<uint32_t>(signature.size()), &token);
  });
}

template <typename Key>
Result<Token> EmitTokens::token_for(ModuleID module, const Key& key, std::map<Key, Token> Module::*list,
                                    const auto& make) {
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
  const auto found = (known.*list).find(key);
  if (found != (known.*list).end()) return found->second;
  Token token = 0;
  if (failed(make(*known.emit.get(), token)))
    return Status::error("the runtime refused to add to the module's metadata");
  (known.*list).emplace(key, token);
  return token;
}

void EmitTokens::forget(ModuleID module) {
  const std::lock_guard guard(lock_);
  modules_.erase(module);
}

}  // namespace oriel::coreclr
