// A module for tests of changes by instructions: what it does to methods of the class Edited is told by its argument.
//
//   returns   before each return, the method writes "NAME returns" by a member reference
//   wrong     an edit of Name that makes no sense, one of Picks that does not verify; of Count, one that is fine
//   names     says what the methods call, and which members the class has
//   inliners  says at the end whose code has Edited.Small's inlined
//   rejit     of Rewritten.Answer: 42 after a second, 43 after another, then as it was
//   stays     of Rewritten.Answer: 42 from the start, 43 after a second; a second later another profiler has it tell
//             when it is entered, then no more; at last 44
//   data      keeps something with each image and method that is compiled, and says at the end how often it was told,
//   and of what
//             while the program ran
#include <oriel/code.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace {

oriel_profiler_handle handle = nullptr;
std::atomic<oriel_method*> answer{nullptr};
std::atomic<int> constant{0};
std::atomic<unsigned> kept{0}, told{0};
std::atomic<bool> is_over{false};
std::mutex lock;
std::set<std::string> gone;  // things of which data was told while the program ran

bool is_of_programs(oriel_profiler*, oriel_image* image) {
  return std::strcmp(oriel_image_name(image), "programs.dll") == 0;
}
bool begins(oriel_method* method, const char* with) {
  return std::strncmp(oriel_method_name(method), with, std::strlen(with)) == 0;
}
bool is_edited(oriel_profiler*, oriel_method* method) { return begins(method, "Edited."); }

void say_returns(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  oriel::Code code(body);
  const std::string name = oriel_method_short_name(method);
  for (oriel_instruction* at : code) {
    if (oriel_instruction_opcode(at) != ORIEL_IL_Ret) continue;
    code.before(at, {code.make(ORIEL_IL_Ldstr, name + " returns"),
                     code.make(ORIEL_IL_Call, "void [System.Console]System.Console::WriteLine(string)")});
  }
}

void go_wrong(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  oriel::Code code(body);
  if (begins(method, "Edited.Name(")) oriel_code_insert_after(body, code.end_mark(), code.make(ORIEL_IL_Nop));
  if (begins(method, "Edited.Picks(")) code.before(code.first(), {code.make(ORIEL_IL_Pop)});
  if (begins(method, "Edited.Share(")) code.before(code.first(), {code.make(ORIEL_IL_Call, "void No.Where::It()")});
  if (begins(method, "Edited.Count(")) code.before(code.first(), {code.make(ORIEL_IL_Nop)});
}

void say_names(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  oriel_image* const image = oriel_method_image(method);
  char text[256];
  for (oriel_instruction* at : oriel::Code(body)) {
    const oriel_opcode opcode = oriel_instruction_opcode(at);
    if (opcode != ORIEL_IL_Call && opcode != ORIEL_IL_Callvirt && opcode != ORIEL_IL_Ldstr) continue;
    oriel_image_token_name(image, static_cast<uint32_t>(oriel_instruction_operand(at)), text, sizeof text);
    std::fprintf(stderr, "coder: %s: %s\n", oriel_method_short_name(method), text);
  }
  if (!begins(method, "Edited.Run(")) return;
  const uint32_t type = oriel_image_type(image, "Edited", text, sizeof text);
  uint32_t members[64];
  const size_t count = oriel_image_members(image, type, nullptr, members, 64);
  const size_t named = oriel_image_members(image, type, "Small", members, 64);
  const uint32_t found = oriel_image_member(image, "int32 Edited::Small(int32)", text, sizeof text);
  std::fprintf(stderr, "coder: members=%zu named=%zu same=%d method=%s\n", count, named, found == members[0],
               oriel_method_name(oriel_image_method(image, found)));
  const uint32_t none = oriel_image_member(image, "int32 Edited::Small(string)", text, sizeof text);
  std::fprintf(stderr, "coder: none=%u %s\n", none, text);
  const uint32_t generic =
      oriel_image_member(image, "!!0[] [System.Runtime]System.Array::Empty<int32>()", text, sizeof text);
  std::fprintf(
      stderr, "coder: generic=%02x again=%d list=%02x signature=%02x string=%02x assembly=%02x\n", generic >> 24,
      generic == oriel_image_member(image, "!!0[] [System.Runtime]System.Array::Empty<int>()", text, sizeof text),
      oriel_image_type(image, "class [System.Collections]System.Collections.Generic.List`1<int32>", nullptr, 0) >> 24,
      oriel_image_signature(image, "void (native int)", nullptr, 0) >> 24,
      oriel_image_string(image, "h\xc3\xa9llo", nullptr, 0) >> 24,
      oriel_image_assembly_ref(image, "Some.Where", nullptr, 0) >> 24);
}

void nothing(oriel_profiler*, oriel_method*, oriel_method_body*) {}

void say_inliners(oriel_profiler*) {
  oriel_method* small = nullptr;
  for (uint32_t id = 1; id <= oriel_method_count(); ++id)
    if (oriel_method_by_id(id) && begins(oriel_method_by_id(id), "Edited.Small(")) small = oriel_method_by_id(id);
  oriel_method* inliners[8];
  uint32_t unknown = 0;
  const size_t count = oriel_method_inliners(small, inliners, 8, &unknown);
  for (size_t i = 0; i < count && i < 8; ++i)
    std::fprintf(stderr, "coder: inliner %s\n", oriel_method_name(inliners[i]));
  std::fprintf(stderr, "coder: unknown=%u\n", unknown);
}

bool is_answer(oriel_profiler*, oriel_method* method) {
  if (!begins(method, "Rewritten.Answer(")) return false;
  answer = method;
  return constant != 0;
}
void set_answer(oriel_profiler*, oriel_method*, oriel_method_body* body) {
  oriel_code_replace(body, oriel_code_first(body, ORIEL_VIEW_CURRENT),
                     oriel_code_make(body, ORIEL_IL_Ldc_I4, constant));
}
void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(1200)); }
void come_and_go() {
  while (!answer) pause();
  for (const int value : {42, 43}) {
    pause();
    constant = value;
    oriel_method_rejit(handle, answer);
  }
  pause();
  oriel_method_revert(handle, answer);
  pause();
  oriel_method_rejit(handle, answer);
}

void stay() {
  oriel_profiler_handle other = oriel_profiler_create(nullptr);
  oriel_profiler_set_image_filter_callback(other, is_of_programs);
  oriel_profiler_set_method_enter_callback(other, [](oriel_profiler*, oriel_method*, const void*) {});
  while (!answer) pause();
  pause();
  constant = 43;
  oriel_method_rejit(handle, answer);
  pause();
  oriel_profiler_set_call_instrumentation_filter_callback(other, [](oriel_profiler*, oriel_method* method) -> uint32_t {
    return begins(method, "Rewritten.Answer(") ? ORIEL_CALLS_ENTER : ORIEL_CALLS_NONE;
  });
  pause();
  oriel_profiler_set_call_instrumentation_filter_callback(other, nullptr);
  pause();
  constant = 44;
  oriel_method_rejit(handle, answer);
}

struct Kept {
  const char* of;
};
void on_told(oriel_profiler*, void* data) {
  const std::unique_ptr<Kept> item(static_cast<Kept*>(data));
  ++told;
  if (is_over) return;
  const std::lock_guard<std::mutex> guard(lock);
  gone.insert(item->of);
}
template <typename Thing>
void keep(bool (*set_data)(Thing*, oriel_profiler_handle, uint32_t, void*, oriel_data_cb), Thing* thing,
          const char* of) {
  auto* const item = new Kept{of};
  if (thing && set_data(thing, handle, 1, item, on_told)) return void(++kept);
  delete item;
}
void keep_all(oriel_profiler*, oriel_method* method, const void*, uint64_t) {
  oriel_image* const image = oriel_method_image(method);
  keep(oriel_method_set_data, method, "method");
  keep(oriel_image_set_data, image, "image");
  keep(oriel_assembly_set_data, image ? oriel_image_assembly(image) : nullptr, "assembly");
}
// The last word, after all else was told.
struct AtEnd {
  ~AtEnd() {
    if (kept == 0) return;
    std::fprintf(stderr, "coder: kept=%u told=%u\n", kept.load(), told.load());
    for (const std::string& of : gone) std::fprintf(stderr, "coder: gone while it ran: %s\n", of.c_str());
  }
};

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_coder(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_coder(const char* args) {
  const std::string what = args;
  handle = oriel_profiler_create(nullptr);
  if (what == "data") {
    static const AtEnd at_end;
    oriel_profiler_set_jit_done_callback(handle, keep_all);
    oriel_profiler_set_cleanup_callback(handle, [](oriel_profiler*) { is_over = true; });
    return 0;
  }
  oriel_profiler_set_image_filter_callback(handle, is_of_programs);
  if (what == "inliners") oriel_profiler_set_cleanup_callback(handle, say_inliners);
  if (what == "rejit" || what == "stays") {
    if (what == "stays") constant = 42;
    oriel_profiler_set_rewriter_callbacks(handle, is_answer, set_answer);
    std::thread(what == "stays" ? stay : come_and_go).detach();
  } else {
    oriel_profiler_set_rewriter_callbacks(handle, is_edited,
                                          what == "returns"    ? say_returns
                                          : what == "wrong"    ? go_wrong
                                          : what == "inliners" ? nothing
                                                               : say_names);
  }
  return 0;
}
