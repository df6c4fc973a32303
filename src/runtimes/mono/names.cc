#include "runtimes/mono/names.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/files/input_file.h"
#include "metadata/debug_directory.h"
#include "metadata/type_text.h"
#include "metadata/written_name.h"
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

std::string class_text(MonoClass* klass, Style style) {
  MonoType* const type = api.mono_class_get_type(klass);
  return type ? readable_type(taken(api.mono_type_full_name(type)), style) : "";
}

std::string parameters_of(MonoMethod* method, Style style) {
  MonoMethodSignature* const signature = api.mono_method_signature(method);
  if (!signature) return "";
  std::string text;
  void* iterator = nullptr;
  while (MonoType* const type = api.mono_signature_get_params(signature, &iterator)) {
    if (!text.empty()) text += style == Style::kRaw ? "," : ", ";
    text += readable_type(taken(api.mono_type_full_name(type)), style);
  }
  return "(" + text + ")";
}

// The one method of the class with that name; nullptr if there are none or several.
MonoMethod* only_method(MonoClass* klass, const std::string& name) {
  MonoMethod* found = nullptr;
  void* iterator = nullptr;
  while (MonoMethod* const method = api.mono_class_get_methods(klass, &iterator)) {
    if (copied(api.mono_method_get_name(method)) != name) continue;
    if (found) return nullptr;
    found = method;
  }
  return found;
}

// What is written in the source for a method that a compiler made (metadata/written_name.h).
struct Written {
  std::string name;
  std::string suffix;
  MonoClass* klass;
  MonoMethod* method;  // whose parameters to show; nullptr: not known
};

Written written_method(MonoMethod* method, const std::string& raw) {
  Written written{metadata::source_method_name(raw), "", api.mono_method_get_class(method), method};
  while (MonoClass* const outer = api.mono_class_get_nesting_type(written.klass)) {
    const std::string class_name = metadata::split_arity(copied(api.mono_class_get_name(written.klass))).name;
    const metadata::MadeType made = metadata::made_type(class_name, raw);
    const bool is_closure = made.origin == metadata::TypeOrigin::kClosure;
    if (made.origin == metadata::TypeOrigin::kWritten || (is_closure && raw.starts_with("."))) break;
    if (is_closure) written.name = metadata::numbered_lambda(written.name, made.method);
    if (made.origin == metadata::TypeOrigin::kLambda) written.name = made.method;
    if (made.origin == metadata::TypeOrigin::kStateMachine) {
      if (!metadata::runs_state_machine(raw)) written.suffix = "." + written.name;
      written.name = metadata::source_method_name(made.method);
      written.method = only_method(outer, made.method);
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

// Bytes on the heap; 0 for arrays and strings, whose sizes vary.
uint32_t instance_size(MonoClass* klass) {
  if (api.mono_class_get_rank(klass) != 0 || klass == api.mono_get_string_class()) return 0;
  constexpr uint32_t kWord = sizeof(void*);
  return (static_cast<uint32_t>(std::max(api.mono_class_instance_size(klass), 0)) + kWord - 1) & ~(kWord - 1);
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
  klass.instance_size = instance_size(id);
  klass.name = class_text(id, Style::kFull);
}

void describe(oriel_method& method) {
  auto* const id = id_of<MonoMethod>(method);
  const std::string raw = copied(api.mono_method_get_name(id));
  const std::string full = taken(api.mono_method_full_name(id, 0));
  MonoClass* const own_class = api.mono_method_get_class(id);
  method.raw_name = class_text(own_class, Style::kRaw) + "." + raw + readable_method_arguments(full, raw, Style::kRaw) +
                    parameters_of(id, Style::kRaw);
  if (const std::string kind = wrapper_kind(full); !kind.empty()) {
    method.short_name = "[" + kind + "] " + raw;
    method.name =
        "[" + kind + "] " + class_text(own_class, Style::kFull) + "." + raw + parameters_of(id, Style::kShort);
    method.klass = record_of(own_class);
    return;
  }
  const Written written = written_method(id, raw);
  method.short_name = written.name + readable_method_arguments(full, raw, Style::kShort) +
                      (written.method ? parameters_of(written.method, Style::kShort) : "") + written.suffix;
  method.klass = record_of(written.klass);
  method.name = class_text(written.klass, Style::kFull) + "." + method.short_name;
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
