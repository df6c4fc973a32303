// New types and members of modules. The runtime takes them while it tells that a module is loaded: what it has made of
// the module's tables before that is as large as these were, and is made larger right after.
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

  // While it lives, the module is told to be loaded.
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
  // Of a type that was defined here, since the module is being loaded.
  bool is_new(ModuleID module, Token type);
  Result<Token> defined(ModuleID module, Result<Token> token);

  const Names names_;
  EmitTokens& tokens_;
  std::mutex lock_;                                           // the next; nobody is called under it
  std::unordered_map<ModuleID, std::vector<Token>> loading_;  // with their new types
};

}  // namespace oriel::coreclr
