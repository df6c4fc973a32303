// Any text as a type, a signature, a member and an assembly: what is taken is a signature that can be read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "metadata/il_text.h"
#include "metadata/signature.h"

namespace {

struct Tokens final : oriel::metadata::TypeTokens {
  oriel::Result<uint32_t> type(const std::string& assembly, const std::vector<std::string>& names) override {
    return (assembly.empty() ? 0x02000000u : 0x01000000u) | static_cast<uint32_t>(names.size() * 0x1234);
  }
};

void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oriel::metadata;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Tokens tokens;
  if (const auto type = type_of_text(text, tokens)) require(decode_type_signature(*type).is_ok());
  if (const auto signature = signature_of_text(text, tokens)) require(decode_method_signature(*signature).is_ok());
  if (const auto member = member_of_text(text, tokens)) {
    require(!member->owner.empty() && !member->name.empty());
    require(decode_type_signature(member->owner).is_ok());
    require(member->is_field || decode_method_signature(member->signature).is_ok());
  }
  (void)assembly_of_text(text);
  return 0;
}
