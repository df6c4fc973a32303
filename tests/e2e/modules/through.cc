// A module for tests of all bodies that there are: takes each apart into instructions and puts it together again, the
// same
// ("same") or in a finally block of its own ("wrapped"). Says at the end of how many, and how many came out otherwise.
#include <oriel/code.hpp>

#include <atomic>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

bool is_wrapped = false;
std::atomic<unsigned> bodies{0}, unreadable{0}, different{0}, not_wrapped{0};

// An instruction with where it goes, by how many stand before that.
struct Line {
  oriel_opcode opcode;
  int64_t operand;
  std::vector<size_t> targets;
  bool operator==(const Line& other) const {
    return opcode == other.opcode && operand == other.operand && targets == other.targets;
  }
};
using Lines = std::vector<Line>;
// Of the body that the thread is at: it comes to both rewriters in turn.
thread_local Lines before;

std::vector<oriel_instruction*> targets_of(oriel_instruction* at) {
  std::vector<oriel_instruction*> all(oriel_instruction_cases(at, ORIEL_VIEW_CURRENT, nullptr, 0));
  oriel_instruction_cases(at, ORIEL_VIEW_CURRENT, all.data(), all.size());
  if (oriel_instruction* target = oriel_instruction_target(at, ORIEL_VIEW_CURRENT)) all.push_back(target);
  return all;
}

// All that a body is: its instructions, then its clauses as lines of their own, then its local variables.
Lines lines_of(oriel_method_body* body) {
  std::map<oriel_instruction*, size_t> places;
  for (oriel_instruction* at : oriel::Code(body)) places.emplace(at, places.size());
  places.emplace(oriel_code_end(body), places.size());
  Lines lines;
  for (oriel_instruction* at : oriel::Code(body)) {
    Line line{oriel_instruction_opcode(at), 0, {}};
    for (oriel_instruction* target : targets_of(at)) line.targets.push_back(places.at(target));
    if (line.targets.empty()) line.operand = oriel_instruction_operand(at);
    lines.push_back(line);
  }
  std::vector<oriel_clause> clauses(oriel_code_clauses(body, nullptr, 0));
  oriel_code_clauses(body, clauses.data(), clauses.size());
  for (const oriel_clause& clause : clauses) {
    Line line{ORIEL_IL_End, static_cast<int64_t>(clause.kind) << 32 | clause.class_token, {}};
    for (oriel_instruction* bound :
         {clause.try_begin, clause.try_end, clause.filter_begin, clause.handler_begin, clause.handler_end})
      line.targets.push_back(bound ? places.at(bound) : 0);
    lines.push_back(line);
  }
  lines.push_back({ORIEL_IL_End, oriel_code_locals(body), {}});
  return lines;
}

bool all(oriel_profiler*, oriel_method*) { return true; }

void edit(oriel_profiler*, oriel_method*, oriel_method_body* body) {
  ++bodies;
  before.clear();
  oriel::Code code(body);
  oriel_instruction* const first = code.first();
  if (!first) return void(++unreadable);
  before = lines_of(body);
  if (is_wrapped) {
    oriel_handler handler;
    if (!oriel_code_wrap(body, ORIEL_CLAUSE_FINALLY, 0, &handler)) return void(++not_wrapped);
    return code.before(handler.last, {code.make(ORIEL_IL_Nop)});
  }
  code.before(first, {code.make(ORIEL_IL_Nop)});
  code.remove(code.first());
}

// Of the bytes that were made of the instructions.
void compare(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  if (before.empty()) return;
  size_t size = 0;
  const uint8_t* const bytes = oriel_method_body_bytes(body, &size);
  const std::vector<uint8_t> copy(bytes, bytes + size);
  if (oriel_method_body_replace(body, copy.data(), copy.size()) && lines_of(body) == before) return;
  ++different;
  std::fprintf(stderr, "through: %s is different\n", oriel_method_name(method));
}

void report(oriel_profiler*) {
  std::fprintf(stderr, "through: bodies=%u unreadable=%u different=%u not wrapped=%u\n", bodies.load(),
               unreadable.load(), different.load(), not_wrapped.load());
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_through(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_through(const char* args) {
  is_wrapped = std::string(args) == "wrapped";
  oriel_profiler_handle editor = oriel_profiler_create(nullptr);
  oriel_profiler_set_rewriter_callbacks(editor, all, edit);
  oriel_profiler_set_cleanup_callback(editor, report);
  if (!is_wrapped) oriel_profiler_set_rewriter_callbacks(oriel_profiler_create(nullptr), all, compare);
  return 0;
}
