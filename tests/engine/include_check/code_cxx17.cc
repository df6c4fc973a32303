// Compiling this in C++17 is the test.
#include <oriel/code.hpp>

std::string include_check_code_cxx17(oriel_method_body* body) {
  oriel::Code code(body);
  for (oriel_instruction* at : code) {
    if (oriel_instruction_opcode(at) == ORIEL_IL_Ret)
      code.before(at, {code.make(ORIEL_IL_Ldarg, 0), code.make(ORIEL_IL_Pop), code.make(ORIEL_IL_Ldstr, "a"),
                       code.make(ORIEL_IL_Pop)});
  }
  return code.type_of(ORIEL_RESULT);
}
