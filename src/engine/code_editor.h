// What a runtime provides for changing code: methods' signatures, images' metadata, recompilation.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "oriel/code.h"

namespace oriel {

// The kind of token that a text names (oriel/code.h).
enum class NamedToken : uint8_t { kType, kMember, kTypeOrMember, kSignature, kString, kAssembly };

// One method whose body is being changed, on one thread.
class CodeSite {
 public:
  virtual ~CodeSite() = default;

  // The error in a body, if any.
  virtual Status check(std::span<const uint8_t> body) const = 0;
  // The method's own signature, and that of a methodDef, memberRef, methodSpec or standAloneSig of its image; empty if
  // there is none. Valid as long as the site.
  virtual std::span<const uint8_t> signature() const = 0;
  virtual std::span<const uint8_t> signature_of(uint32_t token) const = 0;

  virtual Result<uint32_t> token(NamedToken kind, const std::string& text) = 0;
  // A type as encoded in a signature.
  virtual Result<std::vector<uint8_t>> type(const std::string& text) = 0;
  // The token of a standAloneSig with these bytes.
  virtual Result<uint32_t> signature_token(std::span<const uint8_t> signature) = 0;
  // A readable name for a signature's type; "" if it is invalid.
  virtual std::string type_text(std::span<const uint8_t> type) const = 0;
};

// Makes a method's code; the site has the method's signature.
using MakeCode = std::function<Result<std::vector<uint8_t>>(CodeSite& site)>;

struct Inliners {
  std::vector<oriel_method*> methods;
  uint32_t unknown = 0;  // or of ORIEL_INLINERS_*
};

// Images and methods passed must be loaded. Any thread, except during a collection.
class CodeEditor {
 public:
  virtual ~CodeEditor() = default;

  virtual Result<uint32_t> token(oriel_image& image, NamedToken kind, const std::string& text) = 0;
  virtual std::vector<uint32_t> types(oriel_image& image) = 0;
  // Methods, then fields; all if `name` is null.
  virtual std::vector<uint32_t> members(oriel_image& image, uint32_t type, const char* name) = 0;
  virtual std::string token_name(oriel_image& image, uint32_t token) = 0;
  virtual oriel_method* method(oriel_image& image, uint32_t token) = 0;

  // Like oriel_image_define_type and its siblings. `make` is called without a lock.
  virtual Result<uint32_t> define_type(oriel_image& image, const std::string& type, const std::string& base,
                                       uint32_t attributes) = 0;
  virtual Result<uint32_t> define_field(oriel_image& image, const std::string& field, uint32_t attributes) = 0;
  virtual Result<uint32_t> define_method(oriel_image& image, const std::string& method, uint32_t attributes,
                                         const MakeCode& make) = 0;

  // Asks filters about these methods again, and recompiles those that have, or had, changes. On the engine's own
  // thread.
  virtual void recompile_methods(std::span<oriel_method* const> methods) = 0;
  // Asks filters about these methods again, and recompiles those whose probes change. Those in `to_clear`, which have
  // no loops, lose all probes if filters want none, and may then be inlined again. On the engine's own thread.
  virtual void update_probes(std::span<oriel_method* const> /*methods*/, std::span<oriel_method* const> /*to_clear*/) {}
  virtual Inliners inliners(oriel_method& method) = 0;
};

}  // namespace oriel
