// Names of methods: as in the metadata, and as in the source (metadata/written_name.h).
#include <algorithm>

#include "engine/engine.h"
#include "metadata/written_name.h"
#include "runtimes/coreclr/com/wide_text.h"
#include "runtimes/coreclr/names/describe.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {
namespace {

using metadata::Style;

// The source method to show for a compiler-generated method, or the method itself.
struct Written {
  std::string name;       // without class
  std::string suffix;     // for a state machine's methods except the one that runs its code: ".get_Current"
  Token type = 0;         // the type that declares it
  Token method = 0;       // the method whose parameters to show; 0 if not known
  bool is_other = false;  // a different method than the one asked for
};

// The method that a state machine was generated for: the one with that name, or if there are several, the one with the
// matching attribute.
Token kickoff_method(const ModuleMetadata& metadata, Token type, const std::string& name, const std::string& machine) {
  const std::vector<Token> candidates = metadata.methods_named(type, name);
  if (candidates.size() == 1) return candidates.front();
  for (const Token candidate : candidates) {
    const std::string told = metadata.state_machine_of(candidate);
    if (told.size() > machine.size() && told.ends_with(machine) && told[told.size() - machine.size() - 1] == '+') {
      return candidate;
    }
  }
  return 0;
}

std::string own_name(const ModuleMetadata& metadata, Token type) {
  const metadata::TypePath path = metadata.type_path(type);
  return path.names.empty() ? std::string() : path.names.back();
}

Written source_method(const ModuleMetadata& metadata, const NamedMethod& row, Token method) {
  Written written{metadata::source_method_name(row.name), {}, row.type, method, false};
  for (;;) {
    const std::string class_name = own_name(metadata, written.type);
    const Token outer = metadata.enclosing_type(written.type);
    const auto step = metadata::step_out(class_name, row.name, written.name);
    if (!step || outer == 0) return written;
    written.name = step->name;
    if (step->kickoff) {
      written.suffix = step->suffix;
      written.method = kickoff_method(metadata, outer, *step->kickoff, class_name);
      written.is_other = true;
    }
    written.type = outer;
  }
}

// A question about a class may load it, which only managed threads can do.
bool may_load_classes(ProfilerInfo& info) {
  ThreadID thread = 0;
  return succeeded(info.GetCurrentThreadID(&thread)) && thread != 0;
}

// The exact class that encloses a nested one; its generic arguments are the first of the nested class's. If an
// instantiation has code, its enclosing class is loaded too. For other classes only the nested class is known to be
// loaded.
oriel_class* outer_class(ProfilerInfo& info, oriel_image* image, ModuleID module, Token type, size_t generics,
                         std::vector<ClassID> arguments, bool is_loaded) {
  const Held held;
  ClassID exact = 0;
  HResult result = kFail;
  if (arguments.size() >= generics && is_loaded && (generics > 0 || may_load_classes(info))) {
    arguments.resize(generics);
    result = info.GetClassFromTokenAndTypeArgs(held, module, type, static_cast<uint32_t>(generics), arguments.data(),
                                               &exact);
  }
  return succeeded(result) && exact != 0 ? class_of_id(info, exact, image, type) : intern_class(image, type);
}

std::string parameters_of(const SignatureScope& scope, const NamedMethod& row, Style style) {
  const auto signature = metadata::decode_method_signature(row.signature);
  return signature ? metadata::parameters_text(signature->parameters, scope, style) : "";
}

void describe_dynamic(const Names& names, oriel_method& method) {
  const Held held;
  const uint8_t* blob = nullptr;
  uint32_t size = 0;
  ModuleID module = 0;
  NamedMethod row;
  row.name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return names.info.GetDynamicFunctionInfo(held, method.runtime_id, &module, &blob, &size, room, length, text);
  });
  if (row.name.empty()) row.name = "[unnamed]";
  if (blob != nullptr) row.signature = {blob, size};
  const ModuleMetadata none;
  const SignatureScope scope(names, none);
  const bool is_stub = row.name.starts_with("IL_STUB");
  method.short_name = (is_stub ? "[stub] " : "[dynamic] ") + row.name + parameters_of(scope, row, Style::kShort);
  method.name = method.short_name;
  method.raw_name = "DynamicClass." + row.name + parameters_of(scope, row, Style::kRaw);
}

void describe_unknown(oriel_method& method) { method.name = method.short_name = method.raw_name = "[unnamed method]"; }

struct Naming {
  const Names& names;
  oriel_method& method;
  FunctionFacts facts;
  const ModuleMetadata& metadata;
  NamedMethod row;
  SignatureScope scope;

  std::string arguments(Style style) const {
    const auto& generics = scope.of_method;
    return metadata::arguments_text(argument_texts(names, generics.arguments, generics.parameters, style), style);
  }

  std::string raw_name() const {
    const auto& generics = scope.of_class;
    const auto of_class = argument_texts(names, generics.arguments, generics.parameters, Style::kRaw);
    return metadata::type_text(metadata.type_path(row.type), of_class, Style::kRaw) + "." + row.name +
           arguments(Style::kRaw) + parameters_of(scope, row, Style::kRaw);
  }

  // Moves the scope from the compiler's class to the enclosing class. Further generic arguments of the compiler's class
  // belong to the method that it was generated for.
  void move_out(const Written& written) {
    scope.of_class.parameters = metadata.generic_parameter_names(written.type);
    const size_t of_class = scope.of_class.parameters.size();
    if (written.is_other) {
      scope.of_method = {
          {}, written.method ? metadata.generic_parameter_names(written.method) : std::vector<std::string>()};
      auto& all = scope.of_class.arguments;
      if (all.size() > of_class)
        scope.of_method.arguments.assign(all.begin() + static_cast<ptrdiff_t>(of_class), all.end());
    }
    if (scope.of_class.arguments.size() > of_class) scope.of_class.arguments.resize(of_class);
  }

  void write() {
    method.raw_name = raw_name();
    const Written written = source_method(metadata, row, facts.token);
    if (written.type != row.type) {
      const std::vector<ClassID> arguments_of_class = scope.of_class.arguments;
      move_out(written);
      method.klass = outer_class(names.info, method.image, facts.module, written.type, scope.of_class.parameters.size(),
                                 arguments_of_class, method.runtime_id != 0);
    } else {
      method.klass = facts.klass != 0 ? class_of_id(names.info, facts.klass, method.image, row.type)
                                      : intern_class(method.image, row.type);
    }
    method.short_name = written.name + arguments(Style::kShort);
    if (written.method != 0) {
      method.short_name +=
          parameters_of(scope, written.is_other ? metadata.named_method(written.method) : row, Style::kShort);
    }
    method.short_name += written.suffix;
    if (method.klass == nullptr) return;
    ensure_described(*method.klass);
    const bool known = method.klass->described.load(std::memory_order_acquire) == Described::kKnown;
    method.name = (known ? method.klass->name + "." : "") + method.short_name;
  }
};

}  // namespace

void describe(const Names& names, oriel_method& method) {
  const Held held;
  Bool dynamic = 0;
  if (method.runtime_id != 0 && succeeded(names.info.IsFunctionDynamic(held, method.runtime_id, &dynamic)) && dynamic) {
    describe_dynamic(names, method);
    return;
  }
  FunctionFacts facts;
  if (method.runtime_id != 0) {
    facts = function_facts(names.info, method.runtime_id);
  } else if (method.image != nullptr) {
    facts.module = method.image->runtime_id;
    facts.token = method.token;
  }
  const ModuleMetadata metadata = facts.module != 0 ? names.modules.metadata(facts.module) : ModuleMetadata();
  if (!metadata.is_open()) {
    describe_unknown(method);
    return;
  }
  if (method.image == nullptr) {
    method.set_image(intern_image(facts.module));
    note_parts(names.info, method, facts);
  }
  if (method.token == 0) method.set_token(facts.token);
  const NamedMethod row = metadata.named_method(facts.token);
  Naming naming{names, method, facts, metadata, row, SignatureScope(names, metadata)};
  const ClassFacts of_class = facts.klass != 0 ? class_facts(names.info, facts.klass) : ClassFacts();
  naming.scope.of_class = {of_class.arguments, metadata.generic_parameter_names(row.type)};
  naming.scope.of_method = {facts.arguments, metadata.generic_parameter_names(facts.token)};
  naming.write();
}

}  // namespace oriel::coreclr
