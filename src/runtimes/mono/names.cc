#include "runtimes/mono/names.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "base/files/input_file.h"
#include "metadata/debug_directory.h"
#include "metadata/type_text.h"
#include "metadata/written_name.h"
#include "runtimes/mono/image_metadata.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/type_names.h"

namespace oriel::mono {
namespace {

using metadata::Style;

metadata::TypePath path_of(MonoClass* klass) {
  metadata::TypePath path;
  for (MonoClass* it = klass; it; it = api.mono_class_get_nesting_type(it)) {
    path.names.insert(path.names.begin(), copied(api.mono_class_get_name(it)));
    path.name_space = copied(api.mono_class_get_namespace(it));
  }
  return path;
}

// A type as Mono writes it, and the names of its generic parameters if its code may be shared.
struct WrittenType {
  std::string text;
  std::vector<std::string> own;
};

std::vector<std::string> parameters_if_shared(std::string_view written, MonoClass* klass, uint32_t token) {
  if (!may_be_shared(written)) return {};
  MonoImage* const image = api.mono_class_get_image(klass);
  return has_metadata(image) ? generic_parameters(image, token) : std::vector<std::string>();
}

WrittenType written_type(MonoClass* klass) {
  MonoType* const type = api.mono_class_get_type(klass);
  std::string text = type ? taken(api.mono_type_full_name(type)) : "";
  std::vector<std::string> own = parameters_if_shared(text, klass, api.mono_class_get_type_token(klass));
  return {std::move(text), std::move(own)};
}

std::string class_text(MonoClass* klass, Style style) {
  const WrittenType written = written_type(klass);
  return readable_type(written.text, style, written.own);
}

// The parameters of code without metadata, which Mono has at hand.
std::string parameters_at_hand(MonoMethod* method, Style style) {
  MonoMethodSignature* const signature = api.mono_method_signature(method);
  if (!signature) return "";
  std::vector<std::string> types;
  void* iterator = nullptr;
  while (MonoType* const type = api.mono_signature_get_params(signature, &iterator))
    types.push_back(readable_type(taken(api.mono_type_full_name(type)), style));
  return metadata::parameters_text(types, style);
}

// Names the types in signatures of an image, with these arguments for generic parameters.
class Scope final : public metadata::NameScope {
 public:
  Scope(MonoImage* image, std::vector<std::string> of_class, std::vector<std::string> of_method)
      : image_(image), of_class_(std::move(of_class)), of_method_(std::move(of_method)) {}

  metadata::TypePath type_path(uint32_t token) const override { return mono::type_path(image_, token); }
  std::span<const uint8_t> type_spec(uint32_t token) const override { return mono::type_spec(image_, token); }
  std::string internal_type(uint64_t, Style) const override { return {}; }
  std::string class_parameter(uint32_t index, Style) const override { return argument(of_class_, index); }
  std::string method_parameter(uint32_t index, Style) const override { return argument(of_method_, index); }

 private:
  static std::string argument(const std::vector<std::string>& all, uint32_t index) {
    return index < all.size() ? all[index] : "?";
  }

  MonoImage* const image_;
  const std::vector<std::string> of_class_, of_method_;
};

std::vector<std::string> class_arguments(MonoClass* klass, Style style) {
  const WrittenType written = written_type(klass);
  return readable_arguments(written.text, style, written.own);
}

std::string parameters_in(MonoImage* image, uint32_t token, const Scope& scope, Style style) {
  const auto signature = metadata::decode_method_signature(method_signature(image, token));
  return signature ? metadata::parameters_text(signature->parameters, scope, style) : "";
}

std::string parameters_of(MonoMethod* method, const std::vector<std::string>& arguments, Style style) {
  const uint32_t token = api.mono_method_get_token(method);
  MonoClass* const klass = api.mono_method_get_class(method);
  MonoImage* const image = api.mono_class_get_image(klass);
  if (token == 0 || !has_metadata(image)) return parameters_at_hand(method, style);
  return parameters_in(image, token, {image, class_arguments(klass, style), arguments}, style);
}

// What is written in the source for a method that a compiler made (metadata/written_name.h).
struct Written {
  std::string name;
  std::string suffix;
  MonoClass* klass;
  bool is_itself;   // its parameters are those to show
  uint32_t method;  // otherwise those of this method of the class; 0: not known
};

Written written_method(MonoMethod* method, const std::string& raw) {
  Written written{metadata::source_method_name(raw), "", api.mono_method_get_class(method), true, 0};
  while (MonoClass* const outer = api.mono_class_get_nesting_type(written.klass)) {
    const auto step = metadata::step_out(copied(api.mono_class_get_name(written.klass)), raw, written.name);
    if (!step) break;
    written.name = step->name;
    if (step->kickoff) {
      written.suffix = step->suffix;
      written.is_itself = false;
      written.method =
          only_method(api.mono_class_get_image(outer), api.mono_class_get_type_token(outer), *step->kickoff);
    }
    written.klass = outer;
  }
  return written;
}

// "(wrapper managed-to-native) System.IO.MonoIO:Read (int)": code that Mono made around a method, or for itself.
std::string wrapper_kind(const std::string& full_name) {
  constexpr std::string_view kBegin = "(wrapper ";
  const size_t end = full_name.find(')');
  if (!full_name.starts_with(kBegin) || end == std::string::npos) return "";
  return full_name.substr(kBegin.size(), end - kBegin.size());
}

void describe_pdb(oriel_image& image) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;
  const Result<InputFile> file = InputFile::open(image.path, kMostBytes);
  if (!file) return;
  const auto read = [&](uint64_t offset, void* to, size_t size) { return file->read(offset, to, size); };
  if (const auto directory = metadata::read_debug_directory(read, metadata::ImageLayout::kFile)) {
    image.pdb_path = directory->pdb_path;
    image.pdb_id = directory->pdb_id;
  }
}

// "(int)" behind the name in the source.
std::string written_parameters(const Written& written, MonoMethod* method, const std::vector<std::string>& arguments) {
  if (written.is_itself) return parameters_of(method, arguments, Style::kShort);
  if (written.method == 0) return "";
  MonoImage* const image = api.mono_class_get_image(written.klass);
  const Scope scope(image, class_arguments(written.klass, Style::kShort), generic_parameters(image, written.method));
  return parameters_in(image, written.method, scope, Style::kShort);
}

}  // namespace

void describe(oriel_domain& domain) {
  domain.name = copied(api.mono_domain_get_friendly_name(id_of<MonoDomain>(domain)));
}

void describe(oriel_assembly& assembly) {
  MonoAssemblyName* const name = api.mono_assembly_get_name(id_of<MonoAssembly>(assembly));
  if (name) assembly.name = copied(api.mono_assembly_name_get_name(name));
}

void describe(oriel_image& image) {
  auto* const id = id_of<MonoImage>(image);
  if (MonoAssembly* const assembly = api.mono_image_get_assembly(id)) image.assembly = record_of(assembly);
  const std::string file = copied(api.mono_image_get_filename(id));
  const size_t slash = file.rfind('/');
  if (slash != std::string::npos && access(file.c_str(), F_OK) == 0) {
    image.path = file;
    image.name = file.substr(slash + 1);
    return describe_pdb(image);
  }
  image.name = copied(api.mono_image_get_name(id));
}

void describe(oriel_class& klass, bool plainly) {
  auto* const id = id_of<MonoClass>(klass);
  if (plainly) {
    klass.name = metadata::type_text(path_of(id), {}, Style::kFull);
    return;
  }
  klass.name = class_text(id, Style::kFull);
}

void describe(oriel_method& method) {
  auto* const id = id_of<MonoMethod>(method);
  const std::string raw = copied(api.mono_method_get_name(id));
  const std::string full = taken(api.mono_method_full_name(id, 0));
  MonoClass* const own_class = api.mono_method_get_class(id);
  const auto own = parameters_if_shared(full, own_class, api.mono_method_get_token(id));
  const auto raw_arguments = readable_method_arguments(full, raw, Style::kRaw, own);
  const auto arguments = readable_method_arguments(full, raw, Style::kShort, own);
  method.raw_name = class_text(own_class, Style::kRaw) + "." + raw + arguments_text(raw_arguments, Style::kRaw) +
                    parameters_of(id, raw_arguments, Style::kRaw);
  if (const std::string kind = wrapper_kind(full); !kind.empty()) {
    method.short_name = "[" + kind + "] " + raw;
    method.name = "[" + kind + "] " + class_text(own_class, Style::kFull) + "." + raw +
                  parameters_of(id, arguments, Style::kShort);
    method.klass = record_of(own_class);
    return;
  }
  const Written written = written_method(id, raw);
  method.short_name = written.name + arguments_text(arguments, Style::kShort) +
                      written_parameters(written, id, arguments) + written.suffix;
  method.klass = record_of(written.klass);
  method.name = class_text(written.klass, Style::kFull) + "." + method.short_name;
}

std::string raw_name(MonoClass* klass) { return class_text(klass, Style::kRaw); }

SignatureNames names_in_signature(MonoImage* image, uint32_t token, const metadata::MethodSignature& signature) {
  const Scope scope(image, generic_parameters(image, type_with(image, token)), generic_parameters(image, token));
  SignatureNames names;
  for (const metadata::TypeSignature& type : signature.parameters)
    names.parameters.push_back(metadata::type_text(type, scope, Style::kFull));
  names.result = metadata::type_text(signature.result, scope, Style::kFull);
  return names;
}

std::string mvid_of(MonoImage* image) {
  std::string digits;
  for (const char c : copied(api.mono_image_get_guid(image)))
    if (c != '-') digits += static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  constexpr size_t kDigits = 32;
  if (digits.size() != kDigits) return "";
  // The text has the first three numbers as such, the metadata has their bytes in little-endian order.
  for (const auto& [begin, bytes] : {std::pair<size_t, size_t>{0, 4}, {8, 2}, {12, 2}})
    for (size_t i = 0; i < bytes / 2; ++i)
      for (size_t nibble = 0; nibble < 2; ++nibble)
        std::swap(digits[begin + 2 * i + nibble], digits[begin + 2 * (bytes - 1 - i) + nibble]);
  return digits;
}

}  // namespace oriel::mono
