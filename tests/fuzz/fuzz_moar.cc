// Any text may be in a profile of MoarVM, JSON or SQL: it is read or refused with a sentence, and what is made of it is
// a log that can be read.
#include <string>

#include "fuzz_import.h"
#include "statements/moar_sql.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  oriel::imports::read_statements_with(oriel::statements::read_moar_sql);
  oriel::imports::LogMaker maker;
  const std::string text(reinterpret_cast<const char*>(data), size);
  oriel::fuzz::check(oriel::imports::parse_moar(text, maker), maker);
  return 0;
}
