#include "runtimes/coreclr/instrument/emit_tokens.h"

#include <iterator>

#include "base/text/utf16.h"

namespace oriel::coreclr {
namespace {

using KeyBytes = std::vector<uint8_t>;

template <typename Interface>
ComPtr<Interface> as(MetaDataEmit& emit, const Guid& id) {
  ComPtr<Interface> found;
  emit.QueryInterface(id, reinterpret_cast<void**>(found.receive()));
  return found;
}

// The assemblyRef with that name; 0 if the module has none.
Token find_assembly_ref(MetaDataEmit& emit, std::u16string_view name) {
  const auto assembly = as<MetaDataAssemblyImport>(emit, kIMetaDataAssemblyImportId);
  const auto import = as<MetaDataImport>(emit, kIMetaDataImport2Id);
  if (!assembly || !import) return 0;
  MetaEnum list = nullptr;
  Token reference = 0, found = 0;
  uint32_t count = 0;
  while (found == 0 && assembly->EnumAssemblyRefs(&list, &reference, 1, &count) == kOk && count == 1) {
    char16_t text[1024];
    uint32_t length = 0;
    const HResult told = assembly->GetAssemblyRefProps(reference, nullptr, nullptr, text, std::size(text), &length,
                                                       nullptr, nullptr, nullptr, nullptr);
    const bool whole = succeeded(told) && length > 0 && length <= std::size(text);
    if (whole && std::u16string_view(text, length - 1) == name) found = reference;
  }
  import->CloseEnum(list);
  return found;
}

HResult define_assembly_ref(MetaDataEmit& emit, const metadata::AssemblyText& assembly, const std::u16string& name,
                            Token& token) {
  const auto emits = as<MetaDataAssemblyEmit>(emit, kIMetaDataAssemblyEmitId);
  if (!emits) return kNoInterface;
  AssemblyMetadata facts{};
  std::copy(std::begin(assembly.version), std::end(assembly.version), facts.version);
  const KeyBytes& key = assembly.public_key_token;
  return emits->DefineAssemblyRef(key.empty() ? nullptr : key.data(), static_cast<uint32_t>(key.size()), name.c_str(),
                                  &facts, nullptr, 0, 0, &token);
}

}  // namespace

Result<Token> EmitTokens::signature(ModuleID module, std::span<const uint8_t> bytes) {
  const KeyBytes key(bytes.begin(), bytes.end());
  return token_for(module, key, &Module::signatures, [&](MetaDataEmit& emit, Token& token) {
    return emit.GetTokenFromSig(key.data(), static_cast<uint32_t>(key.size()), &token);
  });
}

Result<Token> EmitTokens::type_spec(ModuleID module, std::span<const uint8_t> type) {
  const KeyBytes key(type.begin(), type.end());
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
  const std::tuple<Token, std::u16string, KeyBytes> key(owner, name, KeyBytes(signature.begin(), signature.end()));
  return token_for(module, key, &Module::member_refs, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineMemberRef(owner, std::get<1>(key).c_str(), signature.data(),
                                static_cast<uint32_t>(signature.size()), &token);
  });
}

Result<Token> EmitTokens::method_spec(ModuleID module, Token method, std::span<const uint8_t> arguments) {
  const std::pair<Token, KeyBytes> key(method, KeyBytes(arguments.begin(), arguments.end()));
  return token_for(module, key, &Module::method_specs, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineMethodSpec(method, key.second.data(), static_cast<uint32_t>(key.second.size()), &token);
  });
}

Result<Token> EmitTokens::user_string(ModuleID module, const std::u16string& text) {
  return token_for(module, text, &Module::strings, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineUserString(text.c_str(), static_cast<uint32_t>(text.size()), &token);
  });
}

Result<Token> EmitTokens::assembly_ref(ModuleID module, const metadata::AssemblyText& assembly) {
  return token_for(module, assembly.name, &Module::assemblies, [&](MetaDataEmit& emit, Token& token) {
    const std::u16string name = utf16_of(assembly.name);
    token = find_assembly_ref(emit, name);
    return token != 0 ? kOk : define_assembly_ref(emit, assembly, name, token);
  });
}

Result<Token> EmitTokens::type_def(ModuleID module, const Definition& type, Token base) {
  return added(module, [&](MetaDataEmit& emit, Token& token) {
    const char16_t* const name = type.name.c_str();
    return type.owner == 0 ? emit.DefineTypeDef(name, type.attributes, base, nullptr, &token)
                           : emit.DefineNestedType(name, type.attributes, base, nullptr, type.owner, &token);
  });
}

Result<Token> EmitTokens::method_def(ModuleID module, const Definition& method) {
  constexpr uint32_t kNoAddress = 0, kManagedCode = 0;
  return added(module, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineMethod(method.owner, method.name.c_str(), method.attributes, method.signature.data(),
                             static_cast<uint32_t>(method.signature.size()), kNoAddress, kManagedCode, &token);
  });
}

Result<Token> EmitTokens::field_def(ModuleID module, const Definition& field) {
  return added(module, [&](MetaDataEmit& emit, Token& token) {
    return emit.DefineField(field.owner, field.name.c_str(), field.attributes, field.signature.data(),
                            static_cast<uint32_t>(field.signature.size()), 0, nullptr, 0, &token);
  });
}

ModuleMetadata EmitTokens::newest(ModuleID module, LoadedModules& modules) {
  {
    const std::lock_guard guard(lock_);
    const auto found = modules_.find(module);
    if (found != modules_.end() && found->second.emit) {
      auto import = as<MetaDataImport>(*found->second.emit.get(), kIMetaDataImport2Id);
      if (import) return ModuleMetadata(std::move(import));
    }
  }
  return modules.metadata(module);
}

template <typename Key>
Result<Token> EmitTokens::token_for(ModuleID module, const Key& key, std::map<Key, Token> Module::*list,
                                    const auto& make) {
  const std::lock_guard guard(lock_);
  const Result<Module*> known = opened(module);
  if (!known) return known.status();
  auto& all = (*known)->*list;
  const auto found = all.find(key);
  if (found != all.end()) return found->second;
  Result<Token> token = made(**known, make);
  if (token) all.emplace(key, *token);
  return token;
}

Result<Token> EmitTokens::added(ModuleID module, const auto& make) {
  const std::lock_guard guard(lock_);
  const Result<Module*> known = opened(module);
  return known ? made(**known, make) : known.status();
}

Result<Token> EmitTokens::made(Module& module, const auto& make) {
  Token token = 0;
  if (failed(make(*module.emit.get(), token)))
    return Status::error("the runtime refused to add to the module's metadata");
  return token;
}

Result<EmitTokens::Module*> EmitTokens::opened(ModuleID module) {
  Module& known = modules_[module];
  if (known.emit) return &known;
  ComPtr<MetaDataEmit> emit;
  auto** slot = reinterpret_cast<IUnknown**>(emit.receive());
  const Held held;
  if (failed(info_.GetModuleMetaData(held, module, kOpenRead | kOpenWrite, kIMetaDataEmit2Id, slot)))
    return Status::error("the module's metadata cannot be added to");
  known.emit = std::move(emit);
  return &known;
}

void EmitTokens::forget(ModuleID module) {
  const std::lock_guard guard(lock_);
  modules_.erase(module);
}

}  // namespace oriel::coreclr
