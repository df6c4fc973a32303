#include "runtimes/coreclr/instrument/call_layout.h"

#include "engine/plain_kind.h"
#include "il/compressed.h"
#include "il/signature.h"

namespace oriel::coreclr {
namespace {

using Word = il::ContextWord;
using Bytes = std::span<const uint8_t>;

class Builder {
 public:
  Builder(const MethodValues& values, EmitTokens& tokens) : values_(values), tokens_(tokens) {}

  Status add_arguments() {
    const Result<il::MethodShape> shape = il::read_method_shape(values_.definition.signature);
    const Result<il::MethodTypes> types = il::read_method_types(values_.definition.signature);
    if (!shape) return shape.status();
    if (!types) return types.status();
    uint16_t index = 0;
    if (shape->has_this) add_this(index++);
    for (const Bytes& type : types->parameters) {
      layout_.arguments.push_back(value({Word::Kind::kArgumentAddress, index++, 0}, type));
    }
    result_type_ = types->result;
    return Status::ok();
  }

  Status add_locals() {
    const auto types = il::read_local_types(values_.local_signature);
    if (!types) return types.status();
    uint16_t index = 0;
    for (const Bytes& type : *types) {
      layout_.locals.push_back(value({Word::Kind::kLocalAddress, index++, 0}, type));
    }
    return Status::ok();
  }

  void add_result(uint16_t local) { layout_.result = value({Word::Kind::kLocalAddress, local, 0}, result_type_); }

  Result<BuiltContext> take() {
    if (words_.size() > kMaxSlots) return Status::error("the method has too many values for a call context");
    layout_.slots = static_cast<uint32_t>(words_.size());
    return BuiltContext{lasting_layout(std::move(layout_)), std::move(words_), std::move(pins_)};
  }

 private:
  void add_this(uint16_t index) {
    CallValue& self = layout_.self;
    const auto slot = static_cast<uint32_t>(words_.size());
    if (values_.is_value_type) {
      const Result<Token> type = type_in_itself();
      if (!type) return;
      self.slot = slot;
      // The argument is the struct's address.
      words_.push_back({Word::Kind::kArgument, index, 0});
      words_.push_back({Word::Kind::kSizeOf, 0, *type});
      pins_.push_back({{Word::Kind::kArgument, index, 0}, true, 0});
      self.kind = ORIEL_VALUE_STRUCT;
      return;
    }
    self.slot = slot;
    words_.push_back({Word::Kind::kArgumentAddress, index, 0});
    pins_.push_back({{Word::Kind::kArgument, index, 0}, false, 0});
    self.kind = ORIEL_VALUE_OBJECT;
    self.size = sizeof(void*);
  }

  // The method's own struct type as its code means it: for a generic type, the instantiation over its own parameters.
  Result<Token> type_in_itself() {
    const Token type = values_.definition.type;
    const uint32_t parameters = values_.metadata.generic_arity(type);
    if (parameters == 0) return type;
    std::vector<uint8_t> self = {static_cast<uint8_t>(Element::kGenericInst),
                                 static_cast<uint8_t>(Element::kValueType)};
    il::append_compressed(self, (type & ~kTableMask) << 2);  // II.23.2.8: a typeDef's tag is 0
    il::append_compressed(self, parameters);
    for (uint32_t i = 0; i < parameters; ++i) {
      self.push_back(static_cast<uint8_t>(Element::kVar));
      il::append_compressed(self, i);
    }
    return tokens_.type_spec(values_.module, self);
  }

  CallValue value(Word address, Bytes type) {
    CallValue made;
    const Bytes bare = il::without_modifiers(type);
    if (bare.empty() || Element{bare[0]} == Element::kVoid) return made;
    made.slot = static_cast<uint32_t>(words_.size());
    made.type = values_.type_name(bare);
    const PlainKind plain = plain_kind(bare);
    if (plain.kind == ORIEL_VALUE_NONE) return add_struct(made, address, bare) ? made : CallValue{};
    made.kind = plain.kind;
    made.size = plain.size;
    words_.push_back(address);
    if (plain.kind == ORIEL_VALUE_OBJECT || plain.kind == ORIEL_VALUE_BYREF) {
      const bool is_argument = address.kind == Word::Kind::kArgumentAddress;
      const Word itself{is_argument ? Word::Kind::kArgument : Word::Kind::kLocal, address.index, 0};
      pins_.push_back({itself, plain.kind == ORIEL_VALUE_BYREF, 0});
    }
    return made;
  }

  // Adds a value type, an instantiation or a generic parameter.
  bool add_struct(CallValue& made, Word address, Bytes bare) {
    made.kind = ORIEL_VALUE_STRUCT;
    // Code that instantiations share does not know whether a generic parameter is a reference.
    const Element element{bare[0]};
    if (element != Element::kVar && element != Element::kMVar && element != Element::kValueType &&
        element != Element::kGenericInst) {
      return false;
    }
    const Result<Token> token = tokens_.type_spec(values_.module, bare);
    if (!token) return false;
    words_.push_back(address);
    words_.push_back({Word::Kind::kSizeOf, 0, *token});
    return true;
  }

  const MethodValues& values_;
  EmitTokens& tokens_;
  Bytes result_type_;
  CallLayout layout_;
  std::vector<Word> words_;
  std::vector<il::PinnedValue> pins_;
};

}  // namespace

Result<BuiltContext> build_context(const MethodValues& values, EmitTokens& tokens, bool on_leave,
                                   std::optional<uint16_t> result_local) {
  Builder builder(values, tokens);
  if (Status status = builder.add_arguments(); !status) return status;
  if (on_leave) {
    if (Status status = builder.add_locals(); !status) return status;
    if (result_local) builder.add_result(*result_local);
  }
  return builder.take();
}

}  // namespace oriel::coreclr
