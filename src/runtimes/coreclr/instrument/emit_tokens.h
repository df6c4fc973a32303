// Tokens for signatures that instrumented bodies need, made in the module's own metadata. A module's metadata is opened
// for writing when the first of its methods is instrumented, not before: that is most of what instrumentation costs at
// start-up elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "base/status.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

class EmitTokens {
 public:
  explicit EmitTokens(ProfilerInfo& info) : info_(info) {}

  // A standAloneSig's token in the module, the same one for the same bytes. Any thread.
  Result<Token> signature(ModuleID module, std::span<const uint8_t> bytes);
  // A typeSpec's.
  Result<Token> type_spec(ModuleID module, std::span<const uint8_t> type);
  // The module is being unloaded.
  void forget(ModuleID module);

 private:
  struct Module {
    ComPtr<MetaDataEmit> emit;
    std::map<std::vector<uint8_t>, Token> signatures;
    std::map<std::vector<uint8_t>, Token> types;
  };

  using Make = HResult (MetaDataEmit::*)(const uint8_t*, uint32_t, Token*);
  Result<Token> token_for(ModuleID module, std::span<const uint8_t> bytes,
                          std::map<std::vector<uint8_t>, Token> Module::*, Make make);

  ProfilerInfo& info_;
  std::mutex lock_;  // the runtime's metadata calls nobody back
  std::map<ModuleID, Module> modules_;
};

}  // namespace oriel::coreclr
