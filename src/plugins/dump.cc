#include "plugins/dump.h"

#include <fmt/format.h>
#include <unistd.h>

#include <bit>

#include "il/signature.h"
#include "plugins/code/element_names.h"

namespace oriel::plugins {
namespace {

std::string hex_bytes(std::span<const uint8_t> bytes) {
  std::string text;
  for (uint8_t byte : bytes) text += fmt::format("{:#04x} ", byte);
  return text;
}

std::string place(const Instruction* at) { return fmt::format("IL_{:04x}", at == nullptr ? 0 : at->offset); }
uint32_t offset_of(const Instruction* at) { return at == nullptr ? 0 : at->offset; }

// The operand's text; for a branch, its target.
std::string operand_text(const Graph& graph, const Instruction& at) {
  if (at.kind() == Instruction::Kind::kBranch) return " " + place(graph.begin_of(at.targets()[0]));
  if (at.kind() == Instruction::Kind::kSwitch) {
    std::string text = " (";
    for (Instruction* target : at.targets()) text += (text.size() > 2 ? "," : "") + place(graph.begin_of(target));
    return text + ")";
  }
  const uint64_t bits = at.operand_bits();
  switch (facts_of(at.opcode()).operand) {
    case OperandType::kNone:
      return "";
    case OperandType::kToken:
      return fmt::format(" {:#010x}", bits);
    case OperandType::kSingle:
      return fmt::format(" 0x{:f}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case OperandType::kDouble:
      return fmt::format(" 0x{:f}", std::bit_cast<double>(bits));
    default:
      return fmt::format(" {:#x}", bits);
  }
}

template <typename Ask>
auto asked(MethodInfo& method, Ask ask) {
  uint32_t value = 0;
  (method.*ask)(&value);
  return value;
}

Bool asked_bool(MethodInfo& method, HResult (MethodInfo::*ask)(Bool*)) {
  Bool value = 0;
  (method.*ask)(&value);
  return value;
}

class Writer {
 public:
  explicit Writer(Log& log) : log_(log) {}
  void line(const std::string& text) { log_.write(kLogResults, text); }
  void element(const char* name, const std::string& value) { line(fmt::format("    <{0}>{1}</{0}>", name, value)); }
  void number(const char* name, uint32_t value) { element(name, fmt::format("{:#010x}", value)); }
  void flag(const char* name, Bool value) { element(name, value != 0 ? "1" : "0"); }

 private:
  Log& log_;
};

void write_facts(MethodInfo& method, Writer& out) {
  ClassID klass = 0;
  method.GetClassId(&klass);
  out.element("Name", method.name());
  out.element("FullName", method.full_name());
  out.line(fmt::format("    <ClassID Volatile=\"True\">{:#010x}</ClassID>", klass));
  out.line(fmt::format("    <FunctionID Volatile=\"True\">{:#010x}</FunctionID>", method.function()));
  out.number("MethodToken", method.token());
  out.number("GenericParameterCount", asked(method, &MethodInfo::GetGenericParameterCount));
  out.flag("IsStatic", asked_bool(method, &MethodInfo::GetIsStatic));
  out.flag("IsPublic", asked_bool(method, &MethodInfo::GetIsPublic));
  out.flag("IsPrivate", asked_bool(method, &MethodInfo::GetIsPrivate));
  out.flag("IsPropGetter", asked_bool(method, &MethodInfo::GetIsPropertyGetter));
  out.flag("IsPropSetter", asked_bool(method, &MethodInfo::GetIsPropertySetter));
  out.flag("IsFinalizer", asked_bool(method, &MethodInfo::GetIsFinalizer));
  out.flag("IsConstructor", asked_bool(method, &MethodInfo::GetIsConstructor));
  out.flag("IsStaticConstructor", asked_bool(method, &MethodInfo::GetIsStaticConstructor));
  Token declaring = 0, returned = 0;
  ElementType element = 0;
  ComPtr<IType> type, result;
  method.GetDeclaringType(type.receive());
  if (const auto token = query<ITokenType>(type.get())) token->GetToken(&declaring);
  out.number("DeclaringTypeToken", declaring);
  method.GetReturnType(result.receive());
  if (result) result->GetCorElementType(&element);
  if (const auto token = query<ITokenType>(result.get())) token->GetToken(&returned);
  out.element("RetValueCorElementType",
              "ELEMENT_TYPE_" + std::string(element_name(Element{static_cast<uint8_t>(element)})));
  out.number("RetTypeToken", returned);
}

void write_instructions(Graph& graph, const char* begin, const char* indent, Writer& out) {
  for (const Instruction* at = graph.now.first; at != nullptr; at = at->links.next)
    out.line(std::string(begin) + indent + place(at) + " " + std::string(facts_of(at->opcode()).name) +
             operand_text(graph, *at));
}

void write_clauses(Graph& graph, Writer& out) {
  out.line("    <ExceptionClauses>");
  for (const ExceptionClause* clause : graph.section.clauses) {
    const auto number = [&](const char* name, uint32_t value) {
      out.line(fmt::format("            <{0}>{1:#010x}</{0}>", name, value));
    };
    const auto first = [&](ExceptionClause::Place which) { return offset_of(graph.begin_of(clause->at[which])); };
    const auto last = [&](ExceptionClause::Place which) { return offset_of(graph.end_of(clause->at[which])); };
    out.line("        <ExceptionClause>");
    number("Flags", clause->flags);
    number("FirstTryOffset", first(ExceptionClause::kTryFirst));
    number("LastTryOffset", last(ExceptionClause::kTryLast));
    number("FirstHandlerOffset", first(ExceptionClause::kHandlerFirst));
    number("LastHandlerOffset", last(ExceptionClause::kHandlerLast));
    number("FilterOffset", first(ExceptionClause::kFilterFirst));
    number("ExceptionToken", clause->flags == 0 ? clause->type : 0);
    out.line("        </ExceptionClause>");
  }
  out.line("    </ExceptionClauses>");
}

void write_map(const Rendered& body, Writer& out) {
  out.line("    <CorIlMap>");
  for (const IlMapEntry& entry : body.map) {
    out.line("        <CorIlMapEntry>");
    out.line(fmt::format("            <fAccurate>{}</fAccurate>", entry.accurate));
    out.line(fmt::format("            <oldOffset>{:#010x}</oldOffset>", entry.old_offset));
    out.line(fmt::format("            <newOffset>{:#010x}</newOffset>", entry.new_offset));
    out.line("        </CorIlMapEntry>");
  }
  out.line("    </CorIlMap>");
}

}  // namespace

// The layout is that of the CLR Instrumentation Engine, because tools compare it line by line.
void dump_method(MethodInfo& method, const Rendered& body, Log& log) {
  Writer out(log);
  Graph& graph = *method.graph();
  graph.number();
  std::vector<uint8_t> signature(256);
  uint32_t needed = 0;
  method.GetCorSignature(0, nullptr, &needed);
  signature.resize(needed);
  method.GetCorSignature(needed, signature.data(), &needed);
  std::span<const uint8_t> locals = method.local_signature();
  static constexpr uint8_t kNoLocals[] = {0x07, 0x00};
  if (locals.empty()) locals = kNoLocals;

  out.line("<?xml version=\"1.0\"?>");
  out.line(fmt::format("[TestIgnore]<Pid>{:5d}</Pid>", getpid()));
  out.line("<InstrumentedMethod>");
  write_facts(method, out);
  out.element("CorSignature", hex_bytes(signature));
  out.number("CorMethodAttr", asked(method, &MethodInfo::GetAttributes));
  out.number("CodeRVA", asked(method, &MethodInfo::GetCodeRva));
  out.number("MethodImpl", asked(method, &MethodInfo::MethodImplFlags));
  out.element("LocalSignature", hex_bytes(locals));
  out.number("MaxStack", body.max_stack);
  out.line("[TestIgnore]<OriginalInstructions><![CDATA[");
  write_instructions(graph, "[TestIgnore]", " ", out);
  out.line("[TestIgnore]]]></OriginalInstructions>");
  out.line("    <Instructions><![CDATA[");
  write_instructions(graph, "", "", out);
  out.line("    ]]></Instructions>");
  write_clauses(graph, out);
  write_map(body, out);
  out.line("</InstrumentedMethod>");
}

}  // namespace oriel::plugins
