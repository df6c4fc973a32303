// What changing code takes of a runtime: its methods' signatures, its images' metadata, compilations anew.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "oriel/code.h"

namespace oriel {

// What a text names (oriel/code.h).
enum class NamedToken : uint8_t { kType, kMember, kTypeOrMember, kSignature, kString, kAssembly };

// One method whose body is being changed, on one thread.
class CodeSite {
 public:
  virtual ~CodeSite() = default;

  // What is wrong with a body, if anything.
  virtual Status check(std::span<const uint8_t> body) const = 0;
  // The method's own signature, and that of a methodDef, memberRef, methodSpec or standAloneSig of its image; empty if
  // there is none. As long as the site.
  virtual std::span<const uint8_t> signature() const = 0;
  virtual std::span<const uint8_t> signature_of(uint32_t token) const = 0;

  virtual Result<uint32_t> token(NamedToken kind, const std::string& text) = 0;
  // A type as it stands in a signature.
  virtual Result<std::vector<uint8_t>> type(const std::string& text) = 0;
  // The token of these bytes as a standAloneSig.
  virtual Result<uint32_t> signature_token(std::span<const uint8_t> signature) = 0;
  // A type of a signature for people; "" if it is none.
  virtual std::string type_text(std::span<const uint8_t> type) const = 0;
};

// Makes a method's code; the site has its signature.
using MakeCode = std::function<Result<std::vector<uint8_t>>(CodeSite& site)>;

struct Inliners {
  std::vector<oriel_method*> methods;
  uint32_t unknown = 0;  // or of ORIEL_INLINERS_*
};

// Images and methods are not unloaded. Any thread but under a collection.
class CodeEditor {
 public:
  virtual ~CodeEditor() = default;

  virtual Result<uint32_t> token(oriel_image& image, NamedToken kind, const std::string& text) = 0;
  virtual std::vector<uint32_t> types(oriel_image& image) = 0;
  // Methods, then fields; all if there is no name.
  virtual std::vector<uint32_t> members(oriel_image& image, uint32_t type, const char* name) = 0;
  virtual std::string token_name(oriel_image& image, uint32_t token) = 0;
  virtual oriel_method* method(oriel_image& image, uint32_t token) = 0;

  // As oriel_image_define_type and its like. `make` is called under no lock.
  virtual Result<uint32_t> define_type(oriel_image& image, const std::string& type, const std::string& base,
                                       uint32_t attributes) = 0;
  virtual Result<uint32_t> define_field(oriel_image& image, const std::string& field, uint32_t attributes) = 0;
  virtual Result<uint32_t> define_method(oriel_image& image, const std::string& method, uint32_t attributes,
                                         const MakeCode& make) = 0;

  // Has filters asked about these methods again, and their code made anew where there is or was anything to change. On
  // the engine's own thread.
  virtual void make_anew(std::span<oriel_method* const> methods) = 0;
  // Has filters asked about these methods again, and those compiled anew for which they want other probes. Those to
  // clear, which have no loops, lose all probes where filters want none, and may be inlined as they were before. On
  // the engine's own thread.
  virtual void probe_anew(std::span<oriel_method* const> /*methods*/, std::span<oriel_method* const> /*to_clear*/) {}
  virtual Inliners inliners(oriel_method& method) = 0;
};

}  // namespace oriel
