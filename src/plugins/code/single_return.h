// Redirects all returns of a method to a single one at its end.
#pragma once

#include "oriel/plugins/graph.h"
#include "plugins/code/graph.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

class SingleReturn final : public Object<ISingleRetDefaultInstrumentation2> {
 public:
  HResult Initialize(IInstructionGraph* graph) override;
  HResult ApplySingleRetDefaultInstrumentation() override;
  HResult GetBranchTargetInstruction(IInstruction** instruction) override;

 private:
  ComPtr<IInstructionGraph> graph_;
  ComPtr<Instruction> target_;
};

}  // namespace oriel::plugins
