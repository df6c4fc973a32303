// A method, for plug-ins: to query, and to change while it is compiled.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "oriel/plugins/program.h"
#include "plugins/code/code.h"
#include "plugins/code/decode.h"
#include "plugins/code/locals.h"
#include "plugins/code/render.h"
#include "plugins/info/module_info.h"

namespace oriel::plugins {

// For one thread at a time, except for reference counting.
class MethodInfo final : public Container<IMethodInfo2> {
 public:
  // `function`: 0 if it is not known.
  MethodInfo(ComPtr<ModuleInfo> module, Token token, FunctionID function);
  // A method that the program created at run time: it has no metadata and cannot be changed.
  struct Dynamic {
    std::string name;
    std::vector<uint8_t> signature;
    std::vector<uint8_t> code;  // without a header; empty if it is not known
  };
  MethodInfo(ComPtr<ModuleInfo> module, FunctionID function, Dynamic dynamic);
  ~MethodInfo() override;

  HResult GetModuleInfo(IModuleInfo** module) override;
  HResult GetName(Bstr* name) override;
  HResult GetFullName(Bstr* name) override;
  HResult GetInstructions(IInstructionGraph** graph) override;
  HResult GetLocalVariables(ILocalVariableCollection** locals) override;
  HResult GetClassId(ClassID* id) override;
  HResult GetFunctionId(FunctionID* id) override;
  HResult GetMethodToken(Token* token) override;
  HResult GetGenericParameterCount(uint32_t* count) override;
  HResult GetIsStatic(Bool* value) override;
  HResult GetIsPublic(Bool* value) override;
  HResult GetIsPrivate(Bool* value) override;
  HResult GetIsPropertyGetter(Bool* value) override;
  HResult GetIsPropertySetter(Bool* value) override;
  HResult GetIsFinalizer(Bool* value) override;
  HResult GetIsConstructor(Bool* value) override;
  HResult GetIsStaticConstructor(Bool* value) override;
  HResult GetParameters(IEnumMethodParameters** parameters) override;
  HResult GetDeclaringType(IType** type) override;
  HResult GetReturnType(IType** type) override;
  HResult GetCorSignature(uint32_t size, uint8_t* signature, uint32_t* needed) override;
  HResult GetLocalVarSigToken(Token* token) override;
  HResult SetLocalVarSigToken(Token token) override;
  HResult GetAttributes(uint32_t* attributes) override;
  HResult GetRejitCodeGenFlags(uint32_t* flags) override;
  HResult GetCodeRva(uint32_t* rva) override;
  HResult MethodImplFlags(uint32_t* flags) override;
  HResult SetRejitCodeGenFlags(uint32_t flags) override;
  HResult GetExceptionSection(IExceptionSection** section) override;
  HResult GetInstructionFactory(IInstructionFactory** factory) override;
  HResult GetRejitCount(uint32_t* count) override;
  HResult GetMaxStack(uint32_t* max) override;
  HResult GetSingleRetDefaultInstrumentation(ISingleRetDefaultInstrumentation** single) override;
  HResult GetOriginalLocalVariables(ILocalVariableCollection** locals) override;

  // For the engine.

  const ComPtr<ModuleInfo>& module() const { return module_; }
  Token token() const { return token_; }
  FunctionID function() const { return function_; }
  // "Plugged.Box`1.Choose<!!0,!!1>"
  std::string full_name();
  std::string name();
  // The current signature of its local variables; empty if it has none.
  std::span<const uint8_t> local_signature();
  Token locals();
  void set_locals(Token token) { locals_ = token; }
  uint32_t codegen_flags() const { return codegen_flags_; }
  void set_rejit_count(uint32_t count) { rejit_count_ = count; }
  // Null until somebody asks for it.
  Graph* graph() const { return graph_.get(); }
  // Reads the body if that was not done yet.
  Status read();
  // The body with the plug-ins' changes, encoded for the runtime.
  Result<Rendered> render();

 private:
  struct Facts {
    std::string name;
    coreclr::MethodDefinition definition;
    uint32_t generic_parameters = 0;
  };
  const Facts* facts();
  Status decode(DecodedBody& decoded);
  HResult ask_bool(Bool* value, bool (*is)(const Facts&));
  il::MethodFacts stack_facts(const coreclr::ModuleMetadata& metadata);

  const ComPtr<ModuleInfo> module_;
  const Token token_;
  const FunctionID function_;
  const std::optional<Dynamic> dynamic_;
  std::optional<Facts> facts_;
  ComPtr<Graph> graph_;
  Status fault_ = Status::ok();
  std::optional<Token> locals_;  // known once the body is read, or set
  LocalVariables locals_now_{*this, true};
  LocalVariables locals_before_{*this, false};
  uint32_t codegen_flags_ = 0;
  uint32_t rejit_count_ = 0;
};

// Null if the function is no dynamic method, or belongs to a module that `known` does not have.
using FindModule = std::function<ComPtr<ModuleInfo>(ModuleID)>;
ComPtr<MethodInfo> dynamic_method(coreclr::UngatedProfilerInfo& runtime, FunctionID function,
                                  std::span<const uint8_t> code, const FindModule& known);
// A methodDef without a row, which the runtime reports for dynamic methods.
inline bool is_nil(Token token) { return (token & ~coreclr::kTableMask) == 0; }

}  // namespace oriel::plugins
