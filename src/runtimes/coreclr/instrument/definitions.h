// New types and members of modules. The runtime accepts them only while it reports that a module is loaded: its own
// tables for the module have the size of the metadata's tables until then, and are enlarged right after.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/code_editor.h"
#include "runtimes/coreclr/instrument/name_tokens.h"

namespace oriel::coreclr {

// Any thread.
class Definitions {
 public:
  Definitions(const Names& names, EmitTokens& tokens) : names_(names), tokens_(tokens) {}

  // While it exists, the load of the module is being reported.
  class Loading {
   public:
    Loading(Definitions& definitions, ModuleID module);
    ~Loading();
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

   private:
    Definitions& definitions_;
    const ModuleID module_;
  };

  // As CodeEditor's define_….
  Result<Token> type(ModuleID module, const std::string& name, const std::string& base, uint32_t attributes);
  Result<Token> field(ModuleID module, const std::string& text, uint32_t attributes);
  Result<Token> method(ModuleID module, const std::string& text, uint32_t attributes, const MakeCode& make);

 private:
  struct Member {
    Token owner = 0;
    metadata::MemberText text;
  };
  Status may_define_in(ModuleID module);
  Result<Member> new_member(ModuleID module, const std::string& text);
  // Whether the type was defined here since the module began to load.
  bool is_new(ModuleID module, Token type);
  Result<Token> defined(ModuleID module, Result<Token> token);

  const Names names_;
  EmitTokens& tokens_;
  std::mutex lock_;                                           // guards the next; nothing is called under it
  std::unordered_map<ModuleID, std::vector<Token>> loading_;  // with the types defined in them
};

}  // namespace oriel::coreclr
