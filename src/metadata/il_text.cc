#include "metadata/il_text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/text/element.h"
#include "base/text/trimmed.h"
#include "il/compressed.h"

namespace oriel::metadata {
namespace {

using Bytes = std::vector<uint8_t>;

// Deeper nesting than any compiler makes; half the limit for decoding a signature.
constexpr int kMaxTextDepth = 50;
constexpr uint8_t kDefault = 0x00, kUnmanagedC = 0x01, kField = 0x06, kGenericInstance = 0x0a, kGeneric = 0x10,
                  kHasThis = 0x20;

// ILAsm's keywords; C#'s are in kTypeKeywords.
constexpr std::pair<std::string_view, Element> kWords[] = {
    {"void", Element::kVoid},     {"bool", Element::kBoolean},
    {"char", Element::kChar},     {"int8", Element::kI1},
    {"uint8", Element::kU1},      {"int16", Element::kI2},
    {"uint16", Element::kU2},     {"int32", Element::kI4},
    {"uint32", Element::kU4},     {"int64", Element::kI8},
    {"uint64", Element::kU8},     {"float32", Element::kR4},
    {"float64", Element::kR8},    {"string", Element::kString},
    {"object", Element::kObject}, {"typedref", Element::kTypedByRef},
};

std::optional<Element> primitive(std::string_view word) {
  for (const auto& [name, kind] : kWords)
    if (word == name) return kind;
  for (const TypeKeyword& type : kTypeKeywords)
    if (word == type.keyword) return type.kind;
  return std::nullopt;
}

bool is_of_name(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return std::isalnum(code) || code >= 0x80 || std::string_view("_.`$@?").find(letter) != std::string_view::npos;
}

// TypeDefOrRefOrSpecEncoded (II.23.2.8).
void append_token(Bytes& out, uint32_t token) {
  const uint32_t table = token >> 24 == 0x02 ? 0 : token >> 24 == 0x01 ? 1 : 2;
  il::append_compressed(out, (token & 0xffffff) << 2 | table);
}

Bytes before(Element element, Bytes type) {
  type.insert(type.begin(), static_cast<uint8_t>(element));
  return type;
}

// Parses a text; stops at the first error.
class Reader {
 public:
  Reader(std::string_view text, TypeTokens& tokens) : text_(text), tokens_(tokens) {}

  Bytes type() {
    if (++depth_ > kMaxTextDepth) fail("that is nested too deep");
    Bytes read = with_suffixes(plain_type());
    --depth_;
    return read;
  }

  std::vector<std::string> type_names() {
    std::vector<std::string> names = {name()};
    while (accept("/")) names.push_back(name());
    return names;
  }

  Bytes signature() {
    const uint8_t convention = convention_words();
    Bytes result = type();
    return method(convention, 0, std::move(result));
  }

  MemberText member() {
    MemberText read;
    const uint8_t convention = convention_words();
    Bytes result = type();
    read.owner = type();
    if (!accept("::")) fail("expected :: between a type and its member");
    read.name = name();
    const uint32_t arity = generic_arguments(read);
    read.is_field = at_end();
    if (read.is_field) {
      if (arity != 0 || convention != kDefault) fail("expected the parameters of a method");
      read.signature = std::move(result);
      read.signature.insert(read.signature.begin(), kField);
    } else {
      read.signature = method(convention, arity, std::move(result));
    }
    return read;
  }

  template <typename Value>
  Result<Value> all_of(Value value) {
    if (ok() && !at_end()) fail("expected the end");
    if (!ok()) return status_;
    return value;
  }

 private:
  bool ok() const { return status_.is_ok(); }

  void fail(const std::string& what) {
    if (ok()) status_ = Status::error("at " + std::to_string(at_ + 1) + ": " + what);
    at_ = text_.size();
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool is_next(std::string_view what) {
    skip_blanks();
    return text_.substr(at_, what.size()) == what;
  }
  bool accept(std::string_view what) {
    if (!is_next(what)) return false;
    at_ += what.size();
    return true;
  }
  void expect(std::string_view what) {
    if (!accept(what)) fail("expected " + std::string(what));
  }
  // The next name characters, empty if something else comes.
  std::string_view next_word() {
    skip_blanks();
    size_t end = at_;
    while (end < text_.size() && is_of_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool accept_word(std::string_view word) {
    if (next_word() != word) return false;
    at_ += word.size();
    return true;
  }

  std::string name() {
    if (accept("'")) {
      const size_t end = std::min(text_.find('\'', at_), text_.size());
      std::string quoted(text_.substr(at_, end - at_));
      at_ = end;
      expect("'");
      return quoted;
    }
    std::string word(next_word());
    if (word.empty()) fail("expected a name");
    at_ += word.size();
    return word;
  }

  uint32_t number() {
    uint32_t value = 0;
    skip_blanks();
    const size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      value = value * 10 + static_cast<uint32_t>(text_[at_] - '0');
      if (value <= 0xffff) continue;
      fail("that is too large a number");
      return 0;
    }
    if (at_ == begin) fail("expected a number");
    return value;
  }

  uint8_t convention_words() {
    uint8_t convention = kDefault;
    if (accept_word("instance")) convention |= kHasThis;
    if (accept_word("unmanaged")) convention |= kUnmanagedC;
    return convention;
  }

  Bytes plain_type() {
    if (accept("!!")) return numbered(Element::kMVar);
    if (accept("!")) return numbered(Element::kVar);
    if (accept_word("class")) return named(Element::kClass);
    if (accept_word("valuetype")) return named(Element::kValueType);
    if (accept_word("method")) return function_pointer();
    if (accept_word("native")) return native();
    const std::string_view word = next_word();
    if (const auto kind = primitive(word)) {
      at_ += word.size();
      return {static_cast<uint8_t>(*kind)};
    }
    return named(Element::kClass);
  }

  Bytes numbered(Element kind) {
    Bytes type = {static_cast<uint8_t>(kind)};
    il::append_compressed(type, number());
    return type;
  }

  Bytes native() {
    if (accept_word("int")) return {static_cast<uint8_t>(Element::kIntPtr)};
    if (accept_word("uint")) return {static_cast<uint8_t>(Element::kUIntPtr)};
    fail("expected int or uint after native");
    return {};
  }

  Bytes function_pointer() {
    const uint8_t convention = convention_words();
    Bytes result = type_before_star();
    return before(Element::kFunctionPointer, method(convention, 0, std::move(result)));
  }
  // The * of a function pointer follows its result type: the last one, if there are several.
  Bytes type_before_star() {
    Bytes result = type();
    if (result.empty() || result.front() != static_cast<uint8_t>(Element::kPointer)) {
      fail("expected * before the parameters of a function pointer");
      return {};
    }
    result.erase(result.begin());
    return result;
  }

  uint32_t type_token() {
    std::string assembly;
    if (accept("[")) {
      const size_t end = std::min(text_.find(']', at_), text_.size());
      assembly = text_.substr(at_, end - at_);
      at_ = end;
      expect("]");
      if (assembly.empty()) fail("expected an assembly in []");
    }
    const std::vector<std::string> names = type_names();
    if (!ok()) return 0;
    const Result<uint32_t> token = tokens_.type(assembly, names);
    if (token) return *token;
    fail(token.message());
    return 0;
  }

  Bytes named(Element kind) {
    Bytes type = {static_cast<uint8_t>(kind)};
    append_token(type, type_token());
    if (!accept("<")) return type;
    append_list(type, ">");
    return before(Element::kGenericInst, std::move(type));
  }

  // The number of types and the types, up to the end of their list.
  void append_list(Bytes& out, std::string_view end) {
    Bytes types;
    uint32_t count = 0;
    if (!accept(end)) {
      do {
        const Bytes next = type();
        types.insert(types.end(), next.begin(), next.end());
        ++count;
      } while (accept(","));
      expect(end);
    }
    if (count == 0 && end == ">") fail("expected a type in <>");
    il::append_compressed(out, count);
    out.insert(out.end(), types.begin(), types.end());
  }

  Bytes with_suffixes(Bytes type) {
    for (int suffixes = 0; ok(); ++suffixes) {
      if (suffixes > kMaxTextDepth) fail("that is nested too deep");
      if (accept("*")) {
        type = before(Element::kPointer, std::move(type));
      } else if (accept("&")) {
        type = before(Element::kByRef, std::move(type));
      } else if (accept_word("pinned")) {
        type = before(Element::kPinned, std::move(type));
      } else if (accept_word("modreq")) {
        type = modified(Element::kModRequired, type);
      } else if (accept_word("modopt")) {
        type = modified(Element::kModOptional, type);
      } else if (begins_array()) {
        type = array(type);
      } else {
        break;
      }
    }
    return type;
  }

  Bytes modified(Element kind, const Bytes& type) {
    expect("(");
    accept_word("class") || accept_word("valuetype");
    Bytes whole = {static_cast<uint8_t>(kind)};
    append_token(whole, type_token());
    expect(")");
    whole.insert(whole.end(), type.begin(), type.end());
    return whole;
  }

  // An assembly's name begins with [ too.
  bool begins_array() {
    if (!is_next("[")) return false;
    const size_t inside = text_.find_first_not_of(" \t", at_ + 1);
    return inside != std::string_view::npos && (text_[inside] == ']' || text_[inside] == ',' || is_next_bound(inside));
  }
  bool is_next_bound(size_t at) const { return text_.substr(at, 4) == "0..."; }

  Bytes array(const Bytes& element) {
    expect("[");
    if (accept("]")) return before(Element::kSzArray, element);
    uint32_t rank = 0, bounds = 0;
    do {
      ++rank;
      if (accept("0...")) ++bounds;
    } while (accept(","));
    expect("]");
    if (bounds != 0 && bounds != rank) fail("expected a bound for each dimension, or for none");
    Bytes type = before(Element::kArray, element);
    il::append_compressed(type, rank);
    il::append_compressed(type, 0);
    il::append_compressed(type, bounds);
    type.insert(type.end(), bounds, 0);
    return type;
  }

  // The generic arguments in <> after a method's name; returns the number of generic parameters.
  uint32_t generic_arguments(MemberText& read) {
    if (!accept("<")) return 0;
    if (accept("[")) {
      const uint32_t arity = number();
      expect("]");
      expect(">");
      return arity;
    }
    const size_t begin = read.arguments.size() + 1;
    read.arguments.push_back(kGenericInstance);
    append_list(read.arguments, ">");
    il::ByteReader counted(std::span(read.arguments).subspan(begin));
    return il::read_compressed(counted);
  }

  Bytes method(uint8_t convention, uint32_t arity, Bytes result) {
    Bytes signature = {static_cast<uint8_t>(convention | (arity != 0 ? kGeneric : 0))};
    if (arity != 0) il::append_compressed(signature, arity);
    Bytes parameters;
    expect("(");
    append_list(parameters, ")");
    il::ByteReader counted(parameters);
    il::append_compressed(signature, il::read_compressed(counted));
    signature.insert(signature.end(), result.begin(), result.end());
    signature.insert(signature.end(), parameters.begin() + static_cast<ptrdiff_t>(counted.at()), parameters.end());
    return signature;
  }

  std::string_view text_;
  TypeTokens& tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  Status status_ = Status::ok();
};

bool read_version(std::string_view text, uint16_t (&version)[4]) {
  for (uint16_t& part : version) {
    if (&part != version) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    const std::string_view digits = text.substr(0, text.find('.'));
    uint32_t value = 0;
    if (digits.empty() || digits.size() > 5) return false;
    for (const char digit : digits) {
      if (digit < '0' || digit > '9') return false;
      value = value * 10 + static_cast<uint32_t>(digit - '0');
    }
    if (value > 0xffff) return false;
    part = static_cast<uint16_t>(value);
    text.remove_prefix(digits.size());
  }
  return text.empty();
}

bool read_key_token(std::string_view text, Bytes& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (text == "null") return true;
  if (text.size() != 16) return false;
  for (size_t i = 0; i < text.size(); i += 2) {
    const size_t high = kDigits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[i]))));
    const size_t low = kDigits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(text[i + 1]))));
    if (high == kDigits.npos || low == kDigits.npos) return false;
    bytes.push_back(static_cast<uint8_t>(high << 4 | low));
  }
  return true;
}

}  // namespace

Result<std::vector<uint8_t>> type_of_text(std::string_view text, TypeTokens& tokens) {
  Reader reader(text, tokens);
  return reader.all_of(reader.type());
}

Result<std::vector<std::string>> names_of_text(std::string_view text) {
  struct : TypeTokens {
    Result<uint32_t> type(const std::string&, const std::vector<std::string>&) override { return uint32_t{0}; }
  } unasked;
  Reader reader(text, unasked);
  return reader.all_of(reader.type_names());
}

Result<std::vector<uint8_t>> signature_of_text(std::string_view text, TypeTokens& tokens) {
  Reader reader(text, tokens);
  return reader.all_of(reader.signature());
}

Result<MemberText> member_of_text(std::string_view text, TypeTokens& tokens) {
  Reader reader(text, tokens);
  return reader.all_of(reader.member());
}

uint32_t named_type(std::span<const uint8_t> type) {
  static constexpr uint32_t kTables[] = {0x02000000, 0x01000000, 0x1b000000, 0};
  il::ByteReader reader(type);
  const auto kind = static_cast<Element>(reader.read<uint8_t>());
  const uint32_t coded = il::read_compressed(reader);
  if ((kind != Element::kClass && kind != Element::kValueType) || !reader.ok() || reader.left() != 0) return 0;
  return kTables[coded & 3] == 0 ? 0 : kTables[coded & 3] | coded >> 2;
}

Result<AssemblyText> assembly_of_text(std::string_view text) {
  AssemblyText read;
  read.name = trimmed(text.substr(0, text.find(',')));
  if (read.name.empty()) return Status::error("expected an assembly's name");
  for (size_t comma = text.find(','); comma != text.npos;) {
    text = text.substr(comma + 1);
    comma = text.find(',');
    const std::string_view part = trimmed(text.substr(0, comma));
    const std::string_view key = trimmed(part.substr(0, part.find('=')));
    const std::string_view value = key.size() == part.size() ? "" : trimmed(part.substr(part.find('=') + 1));
    if (key == "Version" && !read_version(value, read.version)) return Status::error("Version wants four numbers");
    if (key == "PublicKeyToken" && !read_key_token(value, read.public_key_token))
      return Status::error("PublicKeyToken wants 16 hexadecimal digits, or null");
    if (key != "Version" && key != "PublicKeyToken" && key != "Culture")
      return Status::error("an assembly has no " + std::string(key));
    if (key == "Culture" && value != "neutral" && !value.empty()) return Status::error("only Culture=neutral has code");
  }
  return read;
}

}  // namespace oriel::metadata
