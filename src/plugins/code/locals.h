// A method's local variables, which plug-ins read and add to.
#pragma once

#include <cstdint>
#include <vector>

#include "oriel/plugins/graph.h"
#include "plugins/info/data_items.h"

namespace oriel::plugins {

class MethodInfo;

// Part of its method, and counted as it. For one thread at a time.
class LocalVariables final : public ILocalVariableCollection2, public DataContainer {
 public:
  LocalVariables(MethodInfo& method, bool may_change) : method_(method), may_change_(may_change) {}

  HResult QueryInterface(const Guid& id, void** object) override;
  uint32_t AddRef() override;
  uint32_t Release() override;

  HResult Initialize() override;
  HResult GetCorSignature(ISignatureBuilder** signature) override;
  HResult GetCount(uint32_t* count) override;
  HResult AddLocal(IType* type, uint32_t* index) override;
  HResult ReplaceSignature(const uint8_t* signature, uint32_t size) override;
  HResult CommitSignature() override;
  HResult GetEnum(IEnumMethodLocals** locals) override;

  // Includes the added ones.
  std::vector<uint8_t> signature();

 private:
  HResult read();
  uint32_t count() const;

  MethodInfo& method_;
  const bool may_change_;
  bool is_read_ = false;
  bool is_replaced_ = false;
  std::vector<uint8_t> before_;  // a LocalVarSig; empty if there are no locals
  uint32_t before_count_ = 0;
  std::vector<std::vector<uint8_t>> added_;  // types
};

}  // namespace oriel::plugins
