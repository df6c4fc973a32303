#include "runtimes/coreclr/instrument/async_code.h"

#include <algorithm>
#include <string_view>

#include "base/text/element.h"
#include "base/text/utf16.h"
#include "il/compressed.h"
#include "metadata/signature.h"
#include "metadata/type_text.h"

namespace oriel::coreclr {
namespace {

using il::Instruction;
using il::Opcode;

// Roslyn's names; Visual Basic's are $State and $Builder.
constexpr std::u16string_view kStates[] = {u"<>1__state", u"$State"};
constexpr std::u16string_view kBuilders[] = {u"<>t__builder", u"$Builder"};

constexpr std::u16string_view kPromises[] = {u"<>v__promiseOfValueOrEnd"};

constexpr std::u16string_view kHandingTypes[] = {
    u"System.Threading.Tasks.Task", u"System.Threading.Tasks.Task`1", u"System.Threading.Tasks.TaskFactory",
    u"System.Threading.Tasks.TaskFactory`1", u"System.Threading.Tasks.Parallel"};
constexpr std::u16string_view kHandingMethods[] = {u"Run", u"StartNew", u"ContinueWith", u"ForEachAsync", u"ForAsync"};

struct KnownBuilder {
  std::u16string_view type;
  il::TaskIdSource task_id_source;
  bool is_value_task;
};
constexpr KnownBuilder kKnownBuilders[] = {
    {u"System.Runtime.CompilerServices.AsyncTaskMethodBuilder", il::TaskIdSource::kTask, false},
    {u"System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1", il::TaskIdSource::kTask, false},
    {u"System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder", il::TaskIdSource::kTask, true},
    {u"System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder`1", il::TaskIdSource::kTask, true},
    {u"System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder", il::TaskIdSource::kValueTask, true},
    {u"System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder`1", il::TaskIdSource::kValueTask, true},
    {u"System.Runtime.CompilerServices.AsyncIteratorMethodBuilder", il::TaskIdSource::kSelf, false},
    {u"System.Runtime.CompilerServices.AsyncVoidMethodBuilder", il::TaskIdSource::kNothing, false},
};

bool is_one_of(std::u16string_view name, std::span<const std::u16string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

// The typeDef or typeRef of an instantiation; other types unchanged.
Token uninstantiated(const ModuleMetadata& metadata, Token type) {
  const auto decoded = metadata::decode_type_signature(metadata.type_spec(type));
  return decoded && decoded->token != 0 ? decoded->token : type;
}

// 0 for this module's own types.
Token reference_of(const ModuleMetadata& metadata, Token type) {
  const Token plain = uninstantiated(metadata, type);
  return table_of(plain) == kTypeRefTable ? plain : 0;
}

std::u16string owner_name(const ModuleMetadata& metadata, Token method) {
  const Token type = reference_of(metadata, metadata.owner_of(method));
  return type == 0 ? std::u16string() : metadata.type_name(type);
}

bool is_task(std::u16string_view type) {
  return type == u"System.Threading.Tasks.Task" || type == u"System.Threading.Tasks.Task`1";
}

bool is_call(const Instruction& at) { return at.opcode() == Opcode::Call || at.opcode() == Opcode::Callvirt; }

std::u16string field_name(const ModuleMetadata& metadata, Token field) {
  char16_t text[64];
  uint32_t length = 0;
  MetaDataImport& import = metadata.import();
  const HResult result =
      table_of(field) == kMemberRefTable
          ? import.GetMemberRefProps(field, nullptr, text, std::size(text), &length, nullptr, nullptr)
          : import.GetFieldProps(field, nullptr, text, std::size(text), &length, nullptr, nullptr, nullptr, nullptr,
                                 nullptr, nullptr);
  return failed(result) || length == 0 || length > std::size(text) ? std::u16string()
                                                                   : std::u16string(text, length - 1);
}

class AsyncMethodFinder {
 public:
  AsyncMethodFinder(const il::Body& body, const ModuleMetadata& metadata) : body_(body), metadata_(metadata) {}

  std::optional<AsyncMethod> find() {
    const Instruction* const begin = body_.first();
    if (begin->opcode() != Opcode::Ldarg_0 || begin->next()->opcode() != Opcode::Ldfld) return std::nullopt;
    found_.code.state_field = begin->next()->token();
    if (!is_one_of(field_name(metadata_, found_.code.state_field), kStates)) return std::nullopt;
    for (Instruction* at = body_.first(); !at->is_end(); at = at->next()) {
      if (at->opcode() == Opcode::Ldflda && found_.builder_field == 0) look_at_field(*at);
      if (is_call(*at) && !look_at_call(at)) return std::nullopt;
    }
    const bool is_whole = found_.builder_field != 0 && found_.builder_type != 0 && !found_.code.ends.empty();
    return is_whole ? std::optional(std::move(found_)) : std::nullopt;
  }

 private:
  void look_at_field(const Instruction& at) {
    if (at.previous()->opcode() == Opcode::Ldarg_0 && is_one_of(field_name(metadata_, at.token()), kBuilders))
      found_.builder_field = at.token();
  }

  // False if the builder is not a known one.
  bool look_at_call(Instruction* at) {
    const std::u16string name = metadata_.name_of(at->token());
    if (is_handing(name, *at)) {
      if (const Token method = handed_by(at)) found_.handed.push_back({method, offset_of(at)}), handing_ = at;
    } else if (name == u"GetAwaiter") {
      awaiter_ = at;
      const Instruction* const call = awaited_call(at);
      if (call != nullptr && call == handing_) found_.handed.back().il = offset_of(at);
    } else if (name == u"AwaitUnsafeOnCompleted" || name == u"AwaitOnCompleted") {
      if (!knows_builder(at->token())) return false;
      found_.code.awaits.push_back({at, awaiter_ ? stash_of(awaiter_) : nullptr, offset_of(awaiter_ ? awaiter_ : at)});
      found_.awaited.push_back(awaiter_ ? awaited_by(awaiter_) : "");
    } else if (name == u"Complete" && is_builders(*at)) {
      return knows_builder(at->token());  // an iterator's end, before the consumer of its next element is resumed
    } else if (name == u"SetResult" || name == u"SetException") {
      if (is_builders(*at) && !knows_builder(at->token())) return false;
      if (!is_builders(*at) && !is_promised(*at)) return true;
      found_.code.ends.push_back({at, name == u"SetException"});
    }
    return true;
  }

  // The promise of an iterator's next element: each call of MoveNextAsync counts as a call of its own.
  bool is_promised(const Instruction& call) {
    const Instruction* const promise = call.previous()->previous();
    return !promise->is_end() && promise->opcode() == Opcode::Ldflda &&
           is_one_of(field_name(metadata_, promise->token()), kPromises);
  }

  // Code may also complete tasks of its own with methods of these names.
  bool is_builders(const Instruction& call) {
    return owner_name(metadata_, call.token()).find(u"MethodBuilder") != std::u16string::npos;
  }

  bool knows_builder(Token method) {
    const std::u16string name = owner_name(metadata_, method);
    for (const KnownBuilder& known : kKnownBuilders) {
      if (name != known.type) continue;
      found_.builder_type = metadata_.owner_of(method);
      found_.task_id_source = known.task_id_source;
      found_.is_value_task = known.is_value_task;
      return true;
    }
    return false;
  }

  // `task.GetAwaiter()`, or a `task.ConfigureAwait(…)` with a constant argument shortly before it.
  Instruction* stash_of(Instruction* awaiter) {
    if (is_task(owner_name(metadata_, awaiter->token()))) return awaiter;
    Instruction* const configure = configured(awaiter);
    return configure != nullptr && is_task(owner_name(metadata_, configure->token())) ? configure->previous() : nullptr;
  }

  Instruction* configured(Instruction* awaiter) {
    constexpr int kBetween = 3;  // the result is stored, and its address taken
    Instruction* at = awaiter->previous();
    for (int i = 0; i < kBetween && !at->is_end(); ++i, at = at->previous()) {
      if (!is_call(*at)) continue;
      const bool is_constant = at->previous()->info().pops == 0 && at->previous()->info().pushes == 1;
      return metadata_.name_of(at->token()) == u"ConfigureAwait" && is_constant ? at : nullptr;
    }
    return nullptr;
  }

  // The preceding call whose result is awaited, found through local variables and ConfigureAwait.
  const Instruction* awaited_call(const Instruction* awaiter) {
    constexpr int kBetween = 8;
    const Instruction* at = awaiter->previous();
    for (int i = 0; i < kBetween && !at->is_end(); ++i, at = at->previous()) {
      if (is_call(*at) && metadata_.name_of(at->token()) != u"ConfigureAwait") return at;
    }
    return nullptr;
  }

  std::string awaited_by(const Instruction* awaiter) {
    const Instruction* const call = awaited_call(awaiter);
    if (call == nullptr) return "";
    const Token type = uninstantiated(metadata_, metadata_.owner_of(call->token()));
    const std::string owner = metadata::type_text(metadata_.type_path(type), {}, metadata::Style::kFull);
    return owner.empty() ? "" : owner + "." + utf8_of(metadata_.name_of(call->token()));
  }

  bool is_handing(std::u16string_view name, const Instruction& call) {
    if (!is_one_of(name, kHandingMethods)) return false;
    return is_one_of(owner_name(metadata_, call.token()), kHandingTypes);
  }

  // The method of the delegate that is passed to the call; 0 if the delegate is not created there.
  Token handed_by(const Instruction* call) {
    constexpr int kBetween = 10;
    const Instruction* at = call->previous();
    for (int i = 0; i < kBetween && !at->is_end() && !is_call(*at); ++i, at = at->previous()) {
      if (at->opcode() == Opcode::Ldftn) return at->token();
    }
    return 0;
  }

  // The IL offset of the awaited call, which is how people identify an await.
  static uint32_t offset_of(const Instruction* at) {
    return at->original_offset() == il::kNoOffset ? 0 : at->original_offset();
  }

  const il::Body& body_;
  const ModuleMetadata& metadata_;
  Instruction* awaiter_ = nullptr;        // the last call of GetAwaiter
  const Instruction* handing_ = nullptr;  // the last call that passed work to another thread
  AsyncMethod found_;
};

// A type in the same scope as the builder's type.
Result<Token> sibling(const ModuleMetadata& metadata, Token builder, ModuleID module, const char16_t* name,
                      EmitTokens& tokens) {
  Token scope = 0;
  char16_t ignored[1];
  uint32_t length = 0;
  metadata.import().GetTypeRefProps(reference_of(metadata, builder), &scope, ignored, 1, &length);
  return tokens.type_ref(module, scope, name);
}

uint32_t coded(Token type) {
  constexpr uint32_t kReference = 1;  // ECMA-335 II.23.2.8, TypeDefOrRefOrSpecEncoded
  return (type & ~kTableMask) << 2 | kReference;
}

std::vector<uint8_t> plain(Element element, Token type) {
  std::vector<uint8_t> bytes = {static_cast<uint8_t>(element)};
  il::append_compressed(bytes, coded(type));
  return bytes;
}

// The signature of a generic type with one argument.
std::vector<uint8_t> instance(Element element, Token type, std::span<const uint8_t> argument) {
  std::vector<uint8_t> bytes = {static_cast<uint8_t>(Element::kGenericInst)};
  const std::vector<uint8_t> generic = plain(element, type);
  bytes.insert(bytes.end(), generic.begin(), generic.end());
  bytes.push_back(1);
  bytes.insert(bytes.end(), argument.begin(), argument.end());
  return bytes;
}

// The signature of an instance method without parameters.
std::vector<uint8_t> getter(std::span<const uint8_t> result) {
  constexpr uint8_t kHasThis = 0x20;
  std::vector<uint8_t> bytes = {kHasThis, 0};
  bytes.insert(bytes.end(), result.begin(), result.end());
  return bytes;
}

// The type argument of a builder that has one, which follows the generic type and the count; empty if it has none.
std::span<const uint8_t> argument_of(const ModuleMetadata& metadata, Token builder) {
  const std::span<const uint8_t> spec = metadata.type_spec(builder);
  if (spec.size() < 3 || spec[0] != static_cast<uint8_t>(Element::kGenericInst)) return {};
  il::ByteReader reader(spec, 2);
  il::read_compressed(reader);
  return il::read_compressed(reader) == 1 && reader.ok() ? spec.subspan(reader.at()) : std::span<const uint8_t>();
}

}  // namespace

std::optional<AsyncMethod> find_async_method(const il::Body& body, const ModuleMetadata& metadata) {
  return AsyncMethodFinder(body, metadata).find();
}

Result<AsyncTokens> make_async_tokens(const AsyncMethod& method, const ModuleMetadata& metadata, ModuleID module,
                                      EmitTokens& tokens) {
  constexpr uint8_t kArgument[] = {static_cast<uint8_t>(Element::kVar), 0};
  constexpr uint8_t kInt[] = {static_cast<uint8_t>(Element::kI4)};
  AsyncTokens made;
  Status failure = Status::ok();
  const auto type_named = [&](const char16_t* name) {
    const Result<Token> type = sibling(metadata, method.builder_type, module, name, tokens);
    if (!type) failure = type.status();
    return type ? *type : 0;
  };
  const auto method_named = [&](Token owner, const char16_t* name, std::span<const uint8_t> signature) {
    const Result<Token> member = tokens.member_ref(module, owner, name, signature);
    if (!member) failure = member.status();
    return member ? *member : 0;
  };
  const auto finished = [&] { return failure ? Result<AsyncTokens>(made) : Result<AsyncTokens>(failure); };
  const std::span<const uint8_t> argument = argument_of(metadata, method.builder_type);
  const bool has_result = !argument.empty();
  const Token task = type_named(u"System.Threading.Tasks.Task");
  made.task_type = plain(Element::kClass, task);
  made.task.task_id_source = method.task_id_source;
  made.task.builder_field = method.builder_field;
  made.task.get_id = method_named(task, u"get_Id", getter(kInt));
  if (method.task_id_source == il::TaskIdSource::kSelf)
    made.task.get_hash_code = method_named(type_named(u"System.Object"), u"GetHashCode", getter(kInt));
  if (method.task_id_source == il::TaskIdSource::kSelf || method.task_id_source == il::TaskIdSource::kNothing)
    return finished();
  const std::vector<uint8_t> its_task =
      has_result ? instance(Element::kClass, type_named(u"System.Threading.Tasks.Task`1"), kArgument) : made.task_type;
  if (method.is_value_task) {
    const Token type =
        type_named(has_result ? u"System.Threading.Tasks.ValueTask`1" : u"System.Threading.Tasks.ValueTask");
    made.value_task_type =
        has_result ? instance(Element::kValueType, type, argument) : plain(Element::kValueType, type);
    const std::vector<uint8_t> given =
        has_result ? instance(Element::kValueType, type, kArgument) : made.value_task_type;
    const Result<Token> owner = has_result ? tokens.type_spec(module, made.value_task_type) : Result<Token>(type);
    if (!owner) return owner.status();
    made.task.get_task = method_named(method.builder_type, u"get_Task", getter(given));
    if (method.task_id_source == il::TaskIdSource::kTask)
      made.task.as_task = method_named(*owner, u"AsTask", getter(its_task));
    if (method.task_id_source == il::TaskIdSource::kValueTask)
      made.task.get_hash_code = method_named(*owner, u"GetHashCode", getter(kInt));
  } else {
    made.task.get_task = method_named(method.builder_type, u"get_Task", getter(its_task));
  }
  return finished();
}

}  // namespace oriel::coreclr
