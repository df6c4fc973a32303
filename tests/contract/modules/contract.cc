// The contract module: listens to everything and checks what every adapter owes.
//
// Arguments, joined by ',': out=FILE (needed), require=EVENT+EVENT… (must come at least once), late=EVENT+EVENT…
// (listened to only from the first jit_done on: what is turned on while the program runs), no-code (of a runtime whose
// code and metadata modules cannot change: oriel/code.h is not asked).
#include <oriel/code.h>
#include <oriel/oriel.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "verdict.h"

namespace contract {
namespace {

enum Event : uint32_t {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) event_##name = number,
#include <oriel/events.def>
#undef ORIEL_EVENT
};

template <uint32_t Number>
struct Of {};

// Each thing's stages in order: loading 1, loaded or failed 2, unloading 3, unloaded 4.
class Stages {
 public:
  // Moves it to a stage; whether it was in one that may come before. `is_first`: the runtime does not tell of that.
  bool move(uint32_t id, unsigned to, bool is_first) {
    const std::lock_guard guard(lock_);
    unsigned& stage = stages_[id];
    // What was there before the module listened is met first when it is unloaded.
    const bool fine = stage + 1 == to || ((to == 3 || is_first) && stage == 0);
    stage = to;
    return fine;
  }
  bool is_unloaded(uint32_t id) {
    const std::lock_guard guard(lock_);
    return stages_[id] == 4;
  }

 private:
  std::mutex lock_;
  std::map<uint32_t, unsigned> stages_;
};

class Contract {
 public:
  void start(const std::string& args);
  void write() {
    for (oriel_image* image : asked_)
      if (images_.is_unloaded(oriel_image_id(image)) && oriel_image_types(image, nullptr, 0) != 0)
        verdict_.violation("image tells of types after it was unloaded", oriel_image_name(image));
    verdict_.write(out_, required_);
  }
  bool has_output() const { return !out_.empty(); }

#define PARAM_A(kind, name) ORIEL_TYPE_##kind name PARAM_NEXT_B
#define PARAM_A_END
#define PARAM_NEXT_A(kind, name) , ORIEL_TYPE_##kind name PARAM_NEXT_B
#define PARAM_NEXT_B(kind, name) , ORIEL_TYPE_##kind name PARAM_NEXT_A
#define PARAM_NEXT_A_END
#define PARAM_NEXT_B_END
#define ARG_A(kind, name) , name ARG_B
#define ARG_B(kind, name) , name ARG_A
#define ARG_A_END
#define ARG_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  void on_##name(ORIEL_SEQ(PARAM, fields)) {                                 \
    verdict_.count(number);                                                  \
    check(Of<number>() ORIEL_SEQ(ARG, fields));                              \
  }
#include <oriel/events.def>
#undef ORIEL_EVENT

 private:
  // Events without rules.
  template <uint32_t Number, typename... Fields>
  void check(Of<Number>, Fields...) {}

#define STAGE_RULES(kind, type, param, name_function)                                                            \
  void check(Of<event_##kind##_loading>, type* param) { stage(kind##s_, #kind, oriel_##kind##_id(param), 1); }   \
  void check(Of<event_##kind##_loaded>, type* param) {                                                           \
    stage(kind##s_, #kind, oriel_##kind##_id(param), 2, oriel_event_obstacle(event_##kind##_loading));           \
    named(#kind, name_function(param));                                                                          \
    same(#kind, oriel_##kind##_by_id(oriel_##kind##_id(param)) == param);                                        \
  }                                                                                                              \
  void check(Of<event_##kind##_unloading>, type* param) { stage(kind##s_, #kind, oriel_##kind##_id(param), 3); } \
  void check(Of<event_##kind##_unloaded>, type* param) {                                                         \
    stage(kind##s_, #kind, oriel_##kind##_id(param), 4);                                                         \
    named(#kind, name_function(param));                                                                          \
  }
  STAGE_RULES(domain, oriel_domain, domain, oriel_domain_name)
  STAGE_RULES(assembly, oriel_assembly, assembly, oriel_assembly_name)
  STAGE_RULES(image, oriel_image, image, oriel_image_name)
  STAGE_RULES(class, oriel_class, klass, oriel_class_name)
#undef STAGE_RULES
  void check(Of<oriel_event_image_failed>, oriel_image* image) { stage(images_, "image", oriel_image_id(image), 2); }
  void check(Of<oriel_event_class_failed>, oriel_class* klass) {
    stage(classs_, "class", oriel_class_id(klass), 2, oriel_event_obstacle(event_class_loading));
  }

  void check(Of<oriel_event_jit_begin>, oriel_method* method) {
    named("method", oriel_method_name(method));
    same("method", oriel_method_by_id(oriel_method_id(method)) == method);
    const std::lock_guard guard(lock_);
    ++compiling_[method];
  }
  void check(Of<oriel_event_jit_done>, oriel_method* method, const void* code, uint64_t size) {
    compiled("jit_done", method);
    if (!code || size == 0) verdict_.violation("jit_done without code", oriel_method_name(method));
    if (has_code_) ask_for_code(method);
    listen_late();
  }
  void check(Of<oriel_event_jit_failed>, oriel_method* method) { compiled("jit_failed", method); }
  void check(Of<oriel_event_method_free>, oriel_method* method) { named("method", oriel_method_name(method)); }

  void check(Of<oriel_event_thread_started>, oriel_thread* thread) {
    const bool fine = oriel_thread_os_id(thread) != 0 && oriel_thread_is_managed(thread);
    if (!fine) verdict_.violation("thread_started without an OS id", std::to_string(oriel_thread_id(thread)));
    const std::lock_guard guard(lock_);
    if (!threads_.insert(thread).second) verdict_.violation("thread_started twice", oriel_thread_get_name(thread));
  }
  void check(Of<oriel_event_thread_stopped>, oriel_thread* thread) {
    const std::lock_guard guard(lock_);
    if (threads_.erase(thread) == 0) {
      verdict_.violation("thread_stopped without thread_started", oriel_thread_get_name(thread));
    }
  }
  void check(Of<oriel_event_thread_name>, oriel_thread*, const char* name) {
    if (!name) verdict_.violation("thread_name without a name", "NULL");
  }

  void check(Of<oriel_event_gc_begin>, uint32_t number, uint32_t, oriel_gc_reason) {
    const std::lock_guard guard(lock_);
    if (number == 0 || !collections_.insert(number).second) {
      verdict_.violation("gc_begin with a number used before", std::to_string(number));
    }
  }
  void check(Of<oriel_event_gc_end>, uint32_t number, uint32_t) {
    const std::lock_guard guard(lock_);
    if (collections_.count(number) == 0) verdict_.violation("gc_end without gc_begin", std::to_string(number));
    if (!ended_collections_.insert(number).second) verdict_.violation("gc_end twice", std::to_string(number));
  }

  void check(Of<oriel_event_gc_allocation_followed>, oriel_class*, uint64_t, uint64_t, uint32_t number) {
    const std::lock_guard guard(lock_);
    if (number != 0 && !followed_.insert(number).second)
      verdict_.violation("gc_allocation_followed with a number used before", std::to_string(number));
  }
  void check(Of<oriel_event_gc_followed_gone>, uint32_t number) {
    const std::lock_guard guard(lock_);
    if (!gone_.insert(number).second) verdict_.violation("gc_followed_gone twice", std::to_string(number));
    // Others may have objects followed that this has not heard of.
    const bool hears_of_all = late_.count("gc_allocation_followed") != 0;
    if (hears_of_all && followed_.count(number) == 0)
      verdict_.violation("gc_followed_gone of an object that is not followed", std::to_string(number));
  }

  void check(Of<oriel_event_suspend_begin>, oriel_suspend_reason) { suspension(0, 1, "suspend_begin"); }
  void check(Of<oriel_event_suspend_end>, oriel_suspend_reason) { suspension(1, 2, "suspend_end"); }
  void check(Of<oriel_event_suspend_aborted>, oriel_suspend_reason) { suspension(1, 0, "suspend_aborted"); }
  void check(Of<oriel_event_resume_begin>, oriel_suspend_reason) {
    suspension(2, 0, "resume_begin");
    resuming_.fetch_add(1);
  }
  // The next suspension may have begun on another thread by now.
  void check(Of<oriel_event_resume_end>, oriel_suspend_reason, uint64_t paused) {
    if (resuming_.fetch_sub(1) <= 0) verdict_.violation("resume_end out of order", "no resume_begin");
    if (paused == 0 || paused > 3'600'000'000'000u) {
      verdict_.violation("resume_end with an impossible pause", std::to_string(paused) + " ns");
    }
  }

  void check(Of<oriel_event_exception_throw>, oriel_object* exception) { classed("exception_throw", exception); }
  void check(Of<oriel_event_exception_clause>, oriel_method* method, oriel_clause_kind, oriel_object* exception,
             uint32_t) {
    named("method", oriel_method_name(method));
    if (exception) classed("exception_clause", exception);
  }
  void check(Of<oriel_event_exception_unwind>, oriel_method* method) { named("method", oriel_method_name(method)); }
  void check(Of<oriel_event_runtime_initialized>) { once(oriel_event_runtime_initialized, "runtime_initialized"); }
  void check(Of<oriel_event_runtime_shutdown_begin>) {
    once(oriel_event_runtime_shutdown_begin, "runtime_shutdown_begin");
  }
  void check(Of<oriel_event_runtime_shutdown_end>) { once(oriel_event_runtime_shutdown_end, "runtime_shutdown_end"); }

  void named(const char* kind, const char* name) {
    if (!name || !*name) verdict_.violation(std::string(kind) + " without a name", "");
    if (name && std::string(name).rfind("[unloaded", 0) == 0) {
      verdict_.violation(std::string(kind) + " was unloaded before its name was known", name);
    }
  }
  void same(const char* kind, bool is) {
    if (!is) verdict_.violation(std::string(kind) + " is not the one of its id", "");
  }
  void stage(Stages& stages, const char* kind, uint32_t id, unsigned to, bool is_first = false) {
    static const char* const kNames[] = {"", "loading", "loaded or failed", "unloading", "unloaded"};
    if (stages.move(id, to, is_first)) return;
    verdict_.violation(std::string(kind) + " " + kNames[to] + " out of order", "id " + std::to_string(id));
  }
  void compiled(const char* what, oriel_method* method) {
    named("method", oriel_method_name(method));
    const std::lock_guard guard(lock_);
    if (compiling_[method]-- > 0) return;
    compiling_[method] = 0;
    verdict_.violation(std::string(what) + " without jit_begin", oriel_method_name(method));
  }
  // What is asked for by whoever changes code. Of a method that metadata has.
  void ask_for_code(oriel_method* method) {
    oriel_image* const image = oriel_method_image(method);
    const uint32_t token = oriel_method_token(method);
    if (!image || token == 0) return;
    oriel_method* const its = oriel_image_method(image, token);
    if (!its || oriel_method_token(its) != token || oriel_method_image(its) != image)
      verdict_.violation("oriel_image_method of a method's token is another", oriel_method_name(method));
    if (oriel_image_token_name(image, token, nullptr, 0) == 0)
      verdict_.violation("a method's token has no name", oriel_method_name(method));
    {
      const std::lock_guard guard(lock_);
      if (!asked_.insert(image).second) return;
    }
    ask_for_metadata(image, token);
    uint32_t unknown = 0;
    oriel_method_inliners(method, nullptr, 0, &unknown);
  }
  void ask_for_metadata(oriel_image* image, uint32_t method) {
    char message[64] = "";
    if (oriel_image_type(image, "No.Such/Type", message, sizeof message) != 0 || !*message)
      verdict_.violation("a type that is not there has a token, or is refused without a word", oriel_image_name(image));
    std::vector<uint32_t> types(oriel_image_types(image, nullptr, 0));
    types.resize(std::min(types.size(), oriel_image_types(image, types.data(), types.size())));
    bool has_method = false;
    for (const uint32_t type : types) {
      std::vector<uint32_t> members(oriel_image_members(image, type, nullptr, nullptr, 0));
      members.resize(
          std::min(members.size(), oriel_image_members(image, type, nullptr, members.data(), members.size())));
      has_method |= std::count(members.begin(), members.end(), method) != 0;
    }
    if (!has_method) verdict_.violation("no type of the image has a method of it", oriel_image_name(image));
    if (oriel_image_define_type(image, "No.Such.New", "No.Such.Base", 0, message, sizeof message) != 0 || !*message)
      verdict_.violation("a type was defined in an image that runs, or refused without a word",
                         oriel_image_name(image));
  }
  void suspension(int from, int to, const char* what) {
    const std::lock_guard guard(lock_);
    if (suspension_ != from)
      verdict_.violation(std::string(what) + " out of order", "state " + std::to_string(suspension_));
    suspension_ = to;
  }
  void classed(const char* what, oriel_object* object) {
    oriel_class* const klass = oriel_object_class(object);
    if (!klass) return verdict_.violation(std::string(what) + " with an object of no class", "");
    named("class", oriel_class_name(klass));
  }
  void once(uint32_t number, const char* what) {
    if (verdict_.counted(number) != 1) verdict_.violation(std::string(what) + " more than once", "");
  }
  void listen_late();

  Verdict verdict_;
  std::string out_;
  std::vector<std::string> required_;
  std::set<std::string> late_;
  bool has_code_ = true;
  std::atomic<bool> listened_late_{false};
  std::atomic<int> resuming_{0};
  std::map<std::string, std::function<void()>> setters_;
  Stages domains_, assemblys_, images_, classs_;
  std::mutex lock_;  // guards the rest; the engine is called under it for thread names only, which take no lock of ours
  std::map<oriel_method*, int> compiling_;
  std::set<oriel_thread*> threads_;
  std::set<oriel_image*> asked_;  // for its metadata
  std::set<uint32_t> collections_, ended_collections_;
  std::set<uint32_t> followed_, gone_;  // objects, by number
  int suspension_ = 0;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

void Contract::start(const std::string& args) {
  for (const std::string& part : split(args, ',')) {
    const size_t equals = std::min(part.find('='), part.size());
    const std::string key = part.substr(0, equals), value = part.substr(std::min(equals + 1, part.size()));
    if (key == "out") out_ = value;
    if (key == "no-code") has_code_ = false;
    if (key == "require") required_ = split(value, '+');
    if (key != "late") continue;
    for (const std::string& name : split(value, '+')) late_.insert(name);
  }
  static oriel::Profiler<Contract> profiler(*this);
  profiler.on_cleanup<&Contract::write>();
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  setters_[#name] = [] { profiler.on_##name<&Contract::on_##name>(); };      \
  if (std::string(#context) == "FULL" && late_.count(#name) == 0) setters_[#name]();
#include <oriel/events.def>
#undef ORIEL_EVENT
}

void Contract::listen_late() {
  if (listened_late_.exchange(true)) return;
  for (const std::string& name : late_) {
    if (const auto setter = setters_.find(name); setter != setters_.end()) setter->second();
  }
}

}  // namespace
}  // namespace contract

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_contract(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_contract(const char* args) {
  static auto* const made = new contract::Contract;
  made->start(args);
  return made->has_output() ? 0 : 1;
}
