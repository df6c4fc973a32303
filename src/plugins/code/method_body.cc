// A method's body: read when a plug-in first asks for it, and encoded again after plug-ins changed it.
#include <unordered_map>

#include "il/byte_reader.h"
#include "il/compressed.h"
#include "il/signature.h"
#include "plugins/code/decode.h"
#include "plugins/info/method_info.h"

namespace oriel::plugins {
namespace {

// The local variables' token in a method's header; 0 for a tiny header.
Token locals_of(std::span<const uint8_t> body) {
  constexpr uint8_t kFormatMask = 3, kTiny = 2;
  if (body.size() < 12 || (body[0] & kFormatMask) == kTiny) return 0;
  return il::ByteReader(body, 8).read<Token>();
}

void add_clauses(Graph& graph, const DecodedBody& decoded) {
  for (const DecodedClause& from : decoded.clauses) {
    ExceptionClause* clause = graph.code().make_clause();
    clause->flags = from.flags;
    clause->type = from.type;
    for (int i = 0; i < ExceptionClause::kPlaces; ++i)
      if (from.at[i] >= 0) clause->at[i] = decoded.instructions[static_cast<size_t>(from.at[i])].get();
    graph.section.clauses.push_back(clause);
  }
}

}  // namespace

Token MethodInfo::locals() {
  if (!locals_) locals_ = dynamic_ ? 0 : locals_of(module_->original_body(token_));
  return *locals_;
}

std::span<const uint8_t> MethodInfo::local_signature() {
  const Token token = locals();
  return token == 0 ? std::span<const uint8_t>() : module_->metadata().signature_of(token);
}

Status MethodInfo::decode(DecodedBody& decoded) {
  if (dynamic_) {
    if (dynamic_->code.empty()) return Status::error("the method's code is not known");
    return decode_code(dynamic_->code, decoded.instructions);
  }
  const std::span<const uint8_t> body = module_->original_body(token_);
  if (body.empty()) return Status::error("the method has no body");
  Result<DecodedBody> made = decode_body(body);
  if (!made) return made.status();
  decoded = std::move(*made);
  return Status::ok();
}

// Branches get their long forms, because code that plug-ins insert may not fit the short ones.
Status MethodInfo::read() {
  if (graph_ || !fault_) return fault_;
  DecodedBody decoded;
  if (fault_ = decode(decoded); !fault_) return fault_;
  graph_ = Code::make_graph(this);
  graph_->take(decoded.instructions, Generation::kOriginal);
  add_clauses(*graph_.get(), decoded);
  graph_->ExpandBranches();
  return Status::ok();
}

HResult MethodInfo::GetInstructions(IInstructionGraph** graph) {
  if (graph == nullptr) return kPointerError;
  return read() ? give(graph_, graph) : kFail;
}

HResult MethodInfo::GetExceptionSection(IExceptionSection** section) {
  if (section == nullptr) return kPointerError;
  return read() ? give(share(&graph_->section), section) : kFail;
}

il::MethodFacts MethodInfo::stack_facts(const coreclr::ModuleMetadata& metadata) {
  il::MethodFacts known;
  // Cached because they are asked for several times, and the runtime answers slowly.
  auto shapes = std::make_shared<std::unordered_map<Token, std::optional<il::MethodShape>>>();
  known.call_effect = [&metadata, shapes](il::Opcode opcode, uint32_t token) -> std::optional<il::StackEffect> {
    const auto [shape, is_new] = shapes->try_emplace(token);
    if (is_new)
      if (const Result<il::MethodShape> read = il::read_method_shape(metadata.signature_of(token)); read)
        shape->second = *read;
    if (!shape->second) return std::nullopt;
    return il::call_effect(opcode, *shape->second);
  };
  if (facts() == nullptr) return known;
  if (const auto shape = il::read_method_shape(facts_->definition.signature)) {
    known.returns_value = shape->returns_value;
    known.argument_count = shape->arguments();
  }
  if (const auto count = il::local_count(locals_now_.signature())) known.local_count = *count;
  return known;
}

HResult MethodInfo::GetMaxStack(uint32_t* max) {
  if (max == nullptr) return kPointerError;
  if (!read()) return kFail;
  const coreclr::ModuleMetadata metadata = module_->metadata();
  const Result<uint32_t> found = max_stack_of(*graph_.get(), stack_facts(metadata));
  if (!found) return kFail;
  *max = *found;
  return kOk;
}

Result<Rendered> MethodInfo::render() {
  if (Status status = read(); !status) return status;
  if (const HResult result = locals_now_.CommitSignature(); failed(result))
    return Status::error("its local variables cannot be written into the module's metadata");
  const coreclr::ModuleMetadata metadata = module_->metadata();
  return plugins::render(*graph_.get(), locals(), stack_facts(metadata));
}

}  // namespace oriel::plugins
