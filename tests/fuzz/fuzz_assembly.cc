// Any bytes may come to the reader of assemblies, and anything be asked of what it read.
#include <cstdint>
#include <cstdlib>

#include "assembly/names.h"
#include "il/decode.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oriel::assembly;
  const oriel::Result<Assembly> assembly = Assembly::parse({data, data + size});
  if (!assembly) {
    if (assembly.message().empty()) std::abort();
    return 0;
  }
  constexpr uint32_t kRows = 300;
  assembly->attributes(Assembly::kWholeAssembly);
  assembly->references();
  assembly->debug_directory();
  for (uint32_t row = 0; row < kRows; ++row) {
    source_type(*assembly, row);
    if (source_method(*assembly, row).type > assembly->type_count()) std::abort();
    assembly->accessed_by(row);
    for (const uint32_t table : {0x01u, 0x02u, 0x04u, 0x06u, 0x0au, 0x11u, 0x17u, 0x1bu, 0x2bu}) {
      const uint32_t token = table << 24 | row;
      assembly->attributes(token);
      assembly->member(token);
      assembly->signature(token);
      assembly->full_name(token);
    }
    const auto body = oriel::il::decode(assembly->body(row));
    if (!body) continue;
    const oriel::il::MethodFacts facts = assembly->facts(row, body->locals_token);
    for (const auto* at = body->first(); !at->is_end(); at = at->next())
      if (at->info().flow == oriel::il::Flow::Call) facts.call_effect(at->opcode(), at->token());
  }
  return 0;
}
