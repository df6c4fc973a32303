#include "runtimes/coreclr/instrument/body_site.h"

#include "runtimes/coreclr/instrument/body_check.h"

namespace oriel::coreclr {

Status BodySite::check(std::span<const uint8_t> body) const { return check_body(metadata(), definition_, body); }

std::span<const uint8_t> BodySite::signature_of(uint32_t token) const { return metadata().signature_of(token); }

std::string BodySite::type_text(std::span<const uint8_t> type) const {
  const auto decoded = metadata::decode_type_signature(type);
  const ModuleMetadata now = metadata();
  return decoded ? metadata::type_text(*decoded, SignatureScope(names_, now), metadata::Style::kFull) : "";
}

}  // namespace oriel::coreclr
