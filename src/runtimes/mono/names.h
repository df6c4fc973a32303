// What Mono's things are called. On a thread that may ask (functions.h).
#pragma once

#include <string>
#include <vector>

#include "engine/things/entities.h"
#include "metadata/signature.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {

void describe(oriel_domain& domain);
void describe(oriel_assembly& assembly);
void describe(oriel_image& image);
// `plainly`: by namespace and name alone, without generic arguments: Mono cannot yet be asked for more.
void describe(oriel_class& klass, bool plainly);
void describe(oriel_method& method);

// As oriel_class_raw_name.
std::string raw_name(MonoClass* klass);

// The types in the signature of a method in an image, in full; generic parameters by their names.
struct SignatureNames {
  std::vector<std::string> parameters;
  std::string result;
};
SignatureNames names_in_signature(MonoImage* image, uint32_t token, const metadata::MethodSignature& signature);

// 32 hexadecimal digits; "" if unknown.
std::string mvid_of(MonoImage* image);

}  // namespace oriel::mono
