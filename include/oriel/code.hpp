// A thin C++17 wrapper of code.h: a body's instructions as a range, and several inserted at once.
//
//   void rewrite(oriel_profiler*, oriel_method*, oriel_method_body* body) {
//     oriel::Code code(body);
//     for (oriel_instruction* at : code) {
//       if (oriel_instruction_opcode(at) != ORIEL_IL_Ret) continue;
//       code.before(at, {code.make(ORIEL_IL_Ldstr, "returns"),
//                        code.make(ORIEL_IL_Call, "void [System.Console]System.Console::WriteLine(string)")});
//     }
//   }
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>

#include "oriel/code.h"

namespace oriel {

// A body; valid during its callback. Edits are those of code.h.
class Code {
 public:
  explicit Code(oriel_method_body* body) : body_(body) {}

  // The current instructions. At the iterator's position others may be inserted, which it skips, and its instruction
  // may be removed, unless that is a prefix.
  class Iterator {
   public:
    explicit Iterator(oriel_instruction* at) : at_(at), next_(next_of(at)) {}
    oriel_instruction* operator*() const { return at_; }
    Iterator& operator++() {
      at_ = next_;
      next_ = next_of(at_);
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    static oriel_instruction* next_of(oriel_instruction* at) { return oriel_instruction_next(at, ORIEL_VIEW_CURRENT); }
    oriel_instruction* at_;
    oriel_instruction* next_;
  };
  Iterator begin() const { return Iterator(first()); }
  Iterator end() const { return Iterator(nullptr); }
  oriel_instruction* first() const { return oriel_code_first(body_, ORIEL_VIEW_CURRENT); }
  oriel_instruction* end_mark() const { return oriel_code_end(body_); }

  oriel_instruction* make(oriel_opcode opcode) { return oriel_code_make(body_, opcode, 0); }
  template <typename Number, typename = std::enable_if_t<std::is_integral_v<Number>>>
  oriel_instruction* make(oriel_opcode opcode, Number operand) {
    return oriel_code_make(body_, opcode, static_cast<int64_t>(operand));
  }
  // `text` names the operand, or is the string of ldstr.
  oriel_instruction* make(oriel_opcode opcode, const char* text) { return oriel_code_make_named(body_, opcode, text); }
  oriel_instruction* make(oriel_opcode opcode, const std::string& text) { return make(opcode, text.c_str()); }
  oriel_instruction* branch(oriel_opcode opcode, oriel_instruction* target) {
    return oriel_code_make_branch(body_, opcode, target);
  }

  // Inserts in this order, in the exception regions of `at`. Branches to `at` move to the first of them.
  void before(oriel_instruction* at, std::initializer_list<oriel_instruction*> made) {
    bool is_first = true;
    for (oriel_instruction* each : made) {
      oriel_code_insert_before(body_, at, each, is_first ? ORIEL_BRANCHES_MOVE : ORIEL_BRANCHES_STAY,
                               ORIEL_REGIONS_OF_NEXT);
      is_first = false;
    }
  }
  // Inserts in this order, in the exception regions of `at`.
  void after(oriel_instruction* at, std::initializer_list<oriel_instruction*> made) {
    for (oriel_instruction* each : made) {
      oriel_code_insert_after(body_, at, each);
      at = each;
    }
  }
  void remove(oriel_instruction* at) { oriel_code_remove(body_, at); }
  void replace(oriel_instruction* at, oriel_instruction* made) { oriel_code_replace(body_, at, made); }

  // The readable type; "" if there is no such variable.
  std::string type_of(oriel_variable variable, uint32_t position = 0) const {
    std::string text(oriel_code_type_of(body_, variable, position, nullptr, 0) + 1, '\0');
    oriel_code_type_of(body_, variable, position, text.data(), text.size());
    text.pop_back();
    return text;
  }

 private:
  oriel_method_body* body_;
};

}  // namespace oriel
