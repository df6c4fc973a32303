#include "runtimes/mono/method_code.h"

#include <string>
#include <vector>

#include "il/decode.h"
#include "il/trivial.h"
#include "runtimes/mono/image_metadata.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kMostTinyCode = 63;  // ECMA-335 II.25.4.2

// The method's code with the header that code without variables and clauses has; empty if it is too long for that.
std::vector<uint8_t> tiny_body(MonoImage* image, uint32_t token) {
  constexpr uint8_t kTiny = 2, kFormat = 3;
  constexpr size_t kFatHeader = 12;
  const std::span<const uint8_t> body = method_body(image, token, kMostTinyCode);
  if (body.empty()) return {};
  const std::span<const uint8_t> code = body.subspan((body[0] & kFormat) == kTiny ? 1 : kFatHeader);
  std::vector<uint8_t> tiny{static_cast<uint8_t>(code.size() << 2 | kTiny)};
  tiny.insert(tiny.end(), code.begin(), code.end());
  return tiny;
}

}  // namespace

bool is_trivial_method(MonoImage* image, uint32_t token) {
  const std::string name = method_name(image, token);
  if (name.empty() || name == "Main") return false;
  const std::vector<uint8_t> bytes = tiny_body(image, token);
  const Result<il::Body> body = bytes.empty() ? Status::error("no code") : il::decode(bytes);
  const bool constructor = name == ".ctor" || name == ".cctor";
  return body && (il::is_trivial(*body) || (constructor && il::is_trivial(*body, il::MethodKind::kConstructor)));
}

}  // namespace oriel::mono
