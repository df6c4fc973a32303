#include "runtimes/mono/method_code.h"

#include <string>
#include <vector>

#include "il/decode.h"
#include "il/trivial.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kMostTinyCode = 63;  // ECMA-335 II.25.4.2

// The method's code with the header that code without variables and clauses has; empty if it is too long for that.
std::vector<uint8_t> tiny_body(MonoMethod* method) {
  constexpr uint8_t kTiny = 2;
  MonoMethodHeader* const header = api.mono_method_get_header(method);
  if (!header) return {};
  uint32_t size = 0, stack = 0;
  const unsigned char* const code = api.mono_method_header_get_code(header, &size, &stack);
  std::vector<uint8_t> body;
  if (code && size <= kMostTinyCode) {
    body.push_back(static_cast<uint8_t>(size << 2 | kTiny));
    body.insert(body.end(), code, code + size);
  }
  api.mono_metadata_free_mh(header);
  return body;
}

}  // namespace

bool is_trivial_method(MonoImage* image, uint32_t token) {
  MonoMethod* const method = api.mono_get_method(image, token, nullptr);
  if (!method) return false;
  const std::string name = copied(api.mono_method_get_name(method));
  if (name == "Main") return false;
  const std::vector<uint8_t> bytes = tiny_body(method);
  const Result<il::Body> body = bytes.empty() ? Status::error("no code") : il::decode(bytes);
  const bool constructor = name == ".ctor" || name == ".cctor";
  return body && (il::is_trivial(*body) || (constructor && il::is_trivial(*body, il::MethodKind::kConstructor)));
}

}  // namespace oriel::mono
