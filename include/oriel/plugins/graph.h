// A method body that may be changed: its instructions in order, its exception clauses, its local variables.
#pragma once

#include "oriel/plugins/instructions.h"
#include "oriel/plugins/signatures.h"

namespace oriel::plugins {

struct IMethodInfo;

// An instruction's offsets in two versions of a body: the runtime's COR_IL_MAP.
struct IlMapEntry {
  uint32_t old_offset;
  uint32_t new_offset;
  Bool accurate;
};

// The instructions of one body. For one thread at a time.
struct IInstructionGraph : IUnknown {
  static constexpr Guid kId = {0x9165f2d1, 0x2d6d, 0x4b89, {0xb2, 0xab, 0x2c, 0xac, 0xa6, 0x6c, 0xaa, 0x48}};

  virtual HResult GetMethodInfo(IMethodInfo** method_info) = 0;
  // In the current graph.
  virtual HResult GetFirstInstruction(IInstruction** instruction) = 0;
  virtual HResult GetLastInstruction(IInstruction** instruction) = 0;
  // As when the graph was made, or as CreateBaseline made it.
  virtual HResult GetOriginalFirstInstruction(IInstruction** instruction) = 0;
  virtual HResult GetOriginalLastInstruction(IInstruction** instruction) = 0;
  // As it was before CreateBaseline.
  virtual HResult GetUninstrumentedFirstInstruction(IInstruction** instruction) = 0;
  virtual HResult GetUninstrumentedLastInstruction(IInstruction** instruction) = 0;
  virtual HResult GetInstructionAtOffset(uint32_t offset, IInstruction** instruction) = 0;
  virtual HResult GetInstructionAtOriginalOffset(uint32_t offset, IInstruction** instruction) = 0;
  virtual HResult GetInstructionAtUninstrumentedOffset(uint32_t offset, IInstruction** instruction) = 0;
  // Branches to `at` still reach `at`.
  virtual HResult InsertBefore(IInstruction* at, IInstruction* made) = 0;
  virtual HResult InsertAfter(IInstruction* at, IInstruction* made) = 0;
  // Branches to `at`, and exception regions that begin there, move to `made`.
  virtual HResult InsertBeforeAndRetargetOffsets(IInstruction* at, IInstruction* made) = 0;
  // Branches to `at` and exception regions move to `made`.
  virtual HResult Replace(IInstruction* at, IInstruction* made) = 0;
  // Branches to `at`, and exception regions that begin there, move to the next instruction. Regions that end at `at`
  // end before it, or with what was inserted after it.
  virtual HResult Remove(IInstruction* at) = 0;
  virtual HResult RemoveAll() = 0;
  // Replaces the body by code without a header. Once for each graph, only in BeforeInstrumentMethod. The map is from
  // offsets known to the debugger to offsets in this code; the points are offsets in this code.
  virtual HResult CreateBaseline(const uint8_t* code, const uint8_t* code_end, uint32_t map_size, const IlMapEntry* map,
                                 uint32_t point_count, uint32_t* points) = 0;
  virtual HResult HasBaselineBeenSet(Bool* set) = 0;
  // All branches become their long forms.
  virtual HResult ExpandBranches() = 0;

 protected:
  ~IInstructionGraph() = default;
};

// A protected region and its handler. Ends are inclusive: the last instruction of each region.
struct IExceptionClause : IUnknown {
  static constexpr Guid kId = {0x1d57eaf6, 0xfcfe, 0x4874, {0xaa, 0x0e, 0xc9, 0xd1, 0xdf, 0x71, 0x49, 0x50}};

  virtual HResult GetFlags(uint32_t* flags) = 0;
  virtual HResult GetTryFirstInstruction(IInstruction** instruction) = 0;
  virtual HResult GetTryLastInstruction(IInstruction** instruction) = 0;
  virtual HResult GetHandlerFirstInstruction(IInstruction** instruction) = 0;
  virtual HResult GetHandlerLastInstruction(IInstruction** instruction) = 0;
  virtual HResult GetFilterFirstInstruction(IInstruction** instruction) = 0;
  virtual HResult GetExceptionHandlerType(Token* token) = 0;
  virtual HResult SetFlags(uint32_t flags) = 0;
  virtual HResult SetTryFirstInstruction(IInstruction* instruction) = 0;
  virtual HResult SetTryLastInstruction(IInstruction* instruction) = 0;
  virtual HResult SetHandlerFirstInstruction(IInstruction* instruction) = 0;
  virtual HResult SetHandlerLastInstruction(IInstruction* instruction) = 0;
  virtual HResult SetFilterFirstInstruction(IInstruction* instruction) = 0;
  virtual HResult SetExceptionHandlerType(Token token) = 0;

 protected:
  ~IExceptionClause() = default;
};

struct IEnumExceptionClauses : Enumerator<IEnumExceptionClauses, IExceptionClause> {
  static constexpr Guid kId = {0x85b0b99f, 0x73d7, 0x4c69, {0x86, 0x59, 0xbf, 0x61, 0x96, 0xf5, 0x26, 0x4f}};

 protected:
  ~IEnumExceptionClauses() = default;
};

// The exception clauses of a method, inner before outer.
struct IExceptionSection : IUnknown {
  static constexpr Guid kId = {0x42ce95a2, 0xf814, 0x4dcd, {0x95, 0x2f, 0x68, 0xce, 0x98, 0x01, 0xfd, 0xd3}};

  virtual HResult GetMethodInfo(IMethodInfo** method_info) = 0;
  virtual HResult GetExceptionClauses(IEnumExceptionClauses** clauses) = 0;
  virtual HResult AddExceptionClause(IExceptionClause* exception_clause) = 0;
  virtual HResult RemoveExceptionClause(IExceptionClause* exception_clause) = 0;
  virtual HResult RemoveAllExceptionClauses() = 0;
  // For a filter `filter_first` is where it begins; for a catch `type` is the class caught.
  virtual HResult AddNewExceptionClause(uint32_t flags, IInstruction* try_first, IInstruction* try_last,
                                        IInstruction* handler_first, IInstruction* handler_last,
                                        IInstruction* filter_first, Token type, IExceptionClause** clause) = 0;

 protected:
  ~IExceptionSection() = default;
};

// A local variable.
struct IMethodLocal : IUnknown {
  static constexpr Guid kId = {0xf8c007db, 0x0d35, 0x4726, {0x9e, 0xdc, 0x78, 0x15, 0x90, 0xe3, 0x06, 0x88}};

  virtual HResult GetType(IType** type) = 0;

 protected:
  ~IMethodLocal() = default;
};

struct IEnumMethodLocals : Enumerator<IEnumMethodLocals, IMethodLocal> {
  static constexpr Guid kId = {0xc4440146, 0x7e2d, 0x4b1a, {0x8f, 0x69, 0xd6, 0xe4, 0x81, 0x7d, 0x72, 0x95}};

 protected:
  ~IEnumMethodLocals() = default;
};

// The local variables of a method.
struct ILocalVariableCollection : IUnknown {
  static constexpr Guid kId = {0x353f806f, 0x6563, 0x40e0, {0x8e, 0xbe, 0xb9, 0x3a, 0x58, 0xc0, 0x14, 0x5f}};

  virtual HResult Initialize() = 0;
  virtual HResult GetCorSignature(ISignatureBuilder** signature) = 0;
  virtual HResult GetCount(uint32_t* count) = 0;
  // `index`, if not null, gets the operand that instructions use for it.
  virtual HResult AddLocal(IType* type, uint32_t* index) = 0;
  virtual HResult ReplaceSignature(const uint8_t* signature, uint32_t size) = 0;
  // Makes added variables part of the method. The engine does so after InstrumentMethod.
  virtual HResult CommitSignature() = 0;

 protected:
  ~ILocalVariableCollection() = default;
};

// With enumeration.
struct ILocalVariableCollection2 : ILocalVariableCollection {
  using Base = ILocalVariableCollection;
  static constexpr Guid kId = {0x61657fe7, 0xbfbb, 0x4b60, {0xbb, 0xa7, 0x1d, 0x3c, 0x32, 0x6f, 0xa4, 0x70}};

  virtual HResult GetEnum(IEnumMethodLocals** locals) = 0;

 protected:
  ~ILocalVariableCollection2() = default;
};

// Makes all returns of a method jump to a single one at its end.
struct ISingleRetDefaultInstrumentation : IUnknown {
  static constexpr Guid kId = {0x2ed40f43, 0xe51a, 0x41a6, {0x91, 0xfc, 0x6f, 0xa9, 0x16, 0x3c, 0x62, 0xe9}};

  virtual HResult Initialize(IInstructionGraph* instruction_graph) = 0;
  virtual HResult ApplySingleRetDefaultInstrumentation() = 0;

 protected:
  ~ISingleRetDefaultInstrumentation() = default;
};

// With the branch target.
struct ISingleRetDefaultInstrumentation2 : ISingleRetDefaultInstrumentation {
  using Base = ISingleRetDefaultInstrumentation;
  static constexpr Guid kId = {0x7a88ff19, 0xf3a1, 0x4c43, {0x89, 0xdb, 0x61, 0xdf, 0x37, 0x64, 0x41, 0xb5}};

  // The target of the former returns; null if there was only one return.
  virtual HResult GetBranchTargetInstruction(IInstruction** instruction) = 0;

 protected:
  ~ISingleRetDefaultInstrumentation2() = default;
};

}  // namespace oriel::plugins
