// What a built-in module shows the engine and whoever controls it, and who owns what runs of it.
//
// A module's library exports, beside what the engine loads it by (oriel.h), these functions. They return 0, and
// `message` (if not NULL, `size` bytes, always terminated) says what of that the runtime cannot give, if anything;
// otherwise not 0, and it says what is wrong and what to do. `options` is a module's text as behind "NAME:" of
// ORIEL_PROFILERS; NULL: none. Any time once the module is loaded, from any thread but in no callback; not async-safe.
// They wait for each other.
//
//   int oriel_module_start_NAME(const char* options, char* message, size_t size);
//       Starts it after a stop: a new file, whose name is made of the template in `options` and has a number where this
//       process has written a file of that name already.
//   int oriel_module_apply_NAME(const char* options, char* message, size_t size);
//       From now on it does what it would do if it had been started with these options. What the table of its options
//       says can change; the rest may be left out, and must be as it was else. What cannot stand in one file begins the
//       next one.
//   int oriel_module_stop_NAME(char* message, size_t size);
//       Ends it: its file is complete when this returns, and nothing in the program's way is left but what the engine
//       takes out soon after.
//   int oriel_module_change_NAME(const char* base, const char* set, const char* dropped, char* message, size_t size);
//       As apply, or as start where it does not run, with the options it had last (`base` where it never ran) and what
//       `set` says instead, without those in `dropped`: names with commas between them.
//   int oriel_module_flush_NAME(char* message, size_t size);
//       Everything that happened before the call is in its file when this returns.
//   int oriel_module_rotate_NAME(char* message, size_t size);
//       Ends its file and begins the next one, with the same options.
//   int oriel_module_save_NAME(const char* file, char* message, size_t size);
//       Only of modules that hold something to be saved: saves it in the file, or with "" in one that it names itself.
//       `message` is then the file's name.
//   int oriel_module_snapshot_NAME(const char* cause, char* message, size_t size);
//       Only of modules that take snapshots of the heap: takes one, which takes seconds. `message` is then what there
//       is to say about it.
//   int oriel_module_details_NAME(char* text, size_t size);
//       Only of these: a line about what is held, for a person; "" where nothing is.
//   int oriel_module_status_NAME(char* options, size_t options_size, char* file, size_t file_size);
//       Returns 1 if it runs, otherwise 0. Fills in its options, those that it had last if it does not run, and the
//       file that it writes; both are always terminated, and cut where there is too little room.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/status.h"
#include "modules/options.h"
#include "oriel/oriel.h"

// ORIEL_BUILT_IN_MODULE(log, oriel::log_module::Log, "nothing is logged"): the functions of a module, by a class that
// is what modules::Owner says. `consequence` is what the user is told if there is no memory.
#define ORIEL_BUILT_IN_MODULE(name, type, consequence)                                                              \
  ORIEL_MODULE_EXPORT uint32_t oriel_api_version_##name(void) { return ORIEL_API_VERSION; }                         \
  ORIEL_MODULE_EXPORT int oriel_init_##name(const char* args) {                                                     \
    const auto start = [&] { return oriel::modules::owner<type>().start(args ? args : ""); };                       \
    return oriel::modules::initialized(#name ": out of memory; " consequence, start);                               \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_start_##name(const char* options, char* message, size_t size) {              \
    const auto start = [&] { return oriel::modules::owner<type>().start(options ? options : ""); };                 \
    return oriel::modules::told(message, size, start);                                                              \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_apply_##name(const char* options, char* message, size_t size) {              \
    const auto apply = [&] { return oriel::modules::owner<type>().apply(options ? options : ""); };                 \
    return oriel::modules::told(message, size, apply);                                                              \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_stop_##name(char* message, size_t size) {                                    \
    return oriel::modules::told(message, size, [] { return oriel::modules::owner<type>().stop(); });                \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_change_##name(const char* base, const char* set, const char* dropped,        \
                                                     char* message, size_t size) {                                  \
    const auto text = [](const char* it) { return std::string(it ? it : ""); };                                     \
    const auto change = [&] { return oriel::modules::owner<type>().change(text(base), text(set), text(dropped)); }; \
    return oriel::modules::told(message, size, change);                                                             \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_flush_##name(char* message, size_t size) {                                   \
    return oriel::modules::told(message, size, [] { return oriel::modules::owner<type>().flush(); });               \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_rotate_##name(char* message, size_t size) {                                  \
    return oriel::modules::told(message, size, [] { return oriel::modules::owner<type>().rotate(); });              \
  }                                                                                                                 \
  ORIEL_MODULE_EXPORT int oriel_module_status_##name(char* options, size_t options_size, char* file,                \
                                                     size_t file_size) {                                            \
    return oriel::modules::status_of(oriel::modules::owner<type>(), options, options_size, file, file_size);        \
  }

// ORIEL_MODULE_THAT_SAVES(log, oriel::log_module::Log): the two further functions, by a class that also has
//
//   Result<std::string> save(const std::string& file);
//   std::string details() const;                       any thread
#define ORIEL_MODULE_THAT_SAVES(name, type)                                                                 \
  ORIEL_MODULE_THAT_ANSWERS(save, name, type)                                                               \
  ORIEL_MODULE_EXPORT int oriel_module_details_##name(char* text, size_t size) {                            \
    std::string details;                                                                                    \
    const auto tell = [&](type& running) {                                                                  \
      details = running.details();                                                                          \
      return oriel::Status::ok();                                                                           \
    };                                                                                                      \
    const int failed =                                                                                      \
        oriel::modules::told(text, size, [&] { return oriel::modules::owner<type>().with_running(tell); }); \
    oriel::modules::internal::copy_text(details, text, size);                                               \
    return failed;                                                                                          \
  }

// ORIEL_MODULE_WITH_SNAPSHOTS(log, oriel::log_module::Log): one more, by a class that also has
//
//   Result<std::string> snapshot(const std::string& cause);
#define ORIEL_MODULE_WITH_SNAPSHOTS(name, type) ORIEL_MODULE_THAT_ANSWERS(snapshot, name, type)

// A function that answers with a text.
#define ORIEL_MODULE_THAT_ANSWERS(action, name, type)                                                         \
  ORIEL_MODULE_EXPORT int oriel_module_##action##_##name(const char* argument, char* message, size_t size) {  \
    std::string answer;                                                                                       \
    const auto act = [&](type& running) {                                                                     \
      oriel::Result<std::string> result = running.action(argument ? argument : "");                           \
      if (result) answer = *result;                                                                           \
      return result ? oriel::Status::ok() : result.status();                                                  \
    };                                                                                                        \
    const int failed =                                                                                        \
        oriel::modules::told(message, size, [&] { return oriel::modules::owner<type>().with_running(act); }); \
    if (failed == 0) oriel::modules::internal::copy_text(answer, message, size);                              \
    return failed;                                                                                            \
  }

namespace oriel::modules {

namespace internal {
// Copies a text, terminated, as much as there is room for.
void copy_text(std::string_view text, char* to, size_t size);
// While it lives, the calling thread's sentences of tell() go into `told`.
class Asker {
 public:
  explicit Asker(std::string& told);
  ~Asker();
};
}  // namespace internal

// Whether this is the process that the library was loaded into, and no fork of it.
bool is_own_process();

// Tells whoever started or changes the module what they do not get: in the answer where one of the functions above was
// called, otherwise on stderr. Any thread.
void tell(const std::string& sentence);

// What oriel_init_NAME returns: what goes wrong is said.
template <typename Start>
int initialized(const char* out_of_memory, Start start) noexcept {
  try {
    const Status status = start();
    if (status) return 0;
    oriel_warn(status.message().c_str());
  } catch (...) {
    oriel_warn(out_of_memory);
  }
  return 1;
}

template <typename Action>
int told(char* message, size_t size, Action action) noexcept {
  try {
    std::string sentences;
    const internal::Asker asker(sentences);
    const Status status = action();
    internal::copy_text(status ? sentences : status.message(), message, size);
    return status ? 0 : 1;
  } catch (...) {
    internal::copy_text("out of memory; free some and try again", message, size);
    return 1;
  }
}

// `path`, or where this process has had a file there before, the same with "-2", "-3", … before its last ending. Each
// answer is a name that it has had from then on. Any thread.
std::string next_file(const std::string& path);

// The path from the root, whatever folder the program works in later; as it is where there is no such folder.
std::string path_from_root(const std::string& path);

// Owns what runs of a module, at most one at a time. `Module` has
//
//   using Options                                              its struct, with the file's template as `out`
//   static const OptionTable& table();
//   static Result<Options> parse(const std::string& text);
//   static Result<std::unique_ptr<Module>> start(Options options);
//   Options& options();                                        what it was started with, as far as that cannot change
//   bool can_apply(const Options& options) const;              without another file
//   Status apply(Options options);                             then
//   Status flush();                                            what has happened is in its file
//   std::string file() const;                                  that it writes, as it is named; any thread
//   Status stop();                                             its file is complete; nothing of it runs on
//   void finish();                                             at the process's end: stops, and says what is wrong
//   bool is_stuck() const;                                     stop gave up: something of it runs on; it must live on
//
// and is started, changed, stopped and destroyed by one thread at a time.
template <typename Module>
class Owner {
 public:
  Status start(const std::string& text) {
    if (!is_own_process()) return forked();
    auto options = Module::parse(text);
    if (!options) return options.status();
    const std::lock_guard guard(lock_);
    if (running_) return wrong("runs already; stop it first, or change it");
    return start_with(std::move(*options));
  }

  Status change(const std::string& base, const std::string& set, const std::string& dropped) {
    if (!is_own_process()) return forked();
    const std::lock_guard guard(lock_);
    auto options = Module::parse(changed_text(Module::table(), text_.value_or(base), set, dropped));
    if (!options) return options.status();
    return running_ ? apply_to_running(std::move(*options)) : start_with(std::move(*options));
  }

  Status apply(const std::string& text) {
    if (!is_own_process()) return forked();
    auto options = Module::parse(text);
    if (!options) return options.status();
    const std::lock_guard guard(lock_);
    if (!running_) return wrong("does not run; start it");
    return apply_to_running(std::move(*options));
  }

  Status flush() {
    if (!is_own_process()) return forked();
    const std::lock_guard guard(lock_);
    return running_ ? running_->flush() : wrong("does not run");
  }

  Status rotate() {
    if (!is_own_process()) return forked();
    const std::lock_guard guard(lock_);
    if (!running_) return wrong("does not run");
    auto options = Module::parse(*text_);
    if (!options) return options.status();
    if (Status status = end(); !status) return status;
    return start_with(std::move(*options));
  }

  // What the action says of what runs.
  template <typename Action>
  Status with_running(Action action) {
    if (!is_own_process()) return forked();
    const std::lock_guard guard(lock_);
    return running_ ? action(*running_) : wrong("does not run");
  }

  struct Running {
    bool is = false;
    std::string options, file;
  };
  Running status() {
    const std::lock_guard guard(lock_);
    return {running_ != nullptr, text_.value_or(""), running_ ? running_->file() : ""};
  }

  Status stop() {
    if (!is_own_process()) return forked();
    const std::lock_guard guard(lock_);
    return running_ ? end() : wrong("does not run");
  }

  // At the process's end. Whoever is at it meanwhile is waited for, but not for ever.
  void finish() {
    constexpr int kMostMilliseconds = 5'000;
    if (!is_own_process()) return;  // the file is its parent's
    std::unique_lock guard(lock_, std::try_to_lock);
    for (int i = 0; i < kMostMilliseconds && !guard; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      guard.try_lock();
    }
    if (!guard)
      oriel_warn((wrong("a command was at work until the program's end; the file lacks its end").message()).c_str());
    else if (running_)
      running_->finish();
  }

 private:
  static Status wrong(const std::string& what) {
    return Status::error(std::string(Module::table().module) + ": " + what);
  }
  static Status forked() { return wrong("belongs to the process that this one was forked from"); }

  Status apply_to_running(typename Module::Options options) {
    const std::string fixed = keep_fixed(Module::table(), running_->options(), options);
    if (!fixed.empty()) return wrong(fixed + " cannot change while it runs; stop it, and start it so");
    if (!running_->can_apply(options)) {
      if (Status status = end(); !status) return status;
      return start_with(std::move(options));
    }
    std::string text = text_of(Module::table(), options);
    Status status = running_->apply(std::move(options));
    if (status) text_ = std::move(text);
    return status;
  }

  Status start_with(typename Module::Options options) {
    std::string text = text_of(Module::table(), options);
    auto started = Module::start(std::move(options));
    if (!started) return started.status();
    text_ = std::move(text);
    running_ = std::move(*started);
    return Status::ok();
  }

  Status end() {
    Status status = running_->stop();
    if (running_->is_stuck())
      static_cast<void>(running_.release());
    else
      running_.reset();
    return status;
  }

  std::mutex lock_;
  std::unique_ptr<Module> running_;
  std::optional<std::string> text_;  // the options, as they were last in force; nullopt: it never ran
};

template <typename Module>
int status_of(Owner<Module>& owner, char* options, size_t options_size, char* file, size_t file_size) noexcept {
  internal::copy_text("", options, options_size);
  internal::copy_text("", file, file_size);
  try {
    const typename Owner<Module>::Running running = owner.status();
    internal::copy_text(running.options, options, options_size);
    internal::copy_text(running.file, file, file_size);
    return running.is ? 1 : 0;
  } catch (...) {
    return 0;
  }
}

// Lives as long as the process: callbacks may still run while it exits.
template <typename Module>
Owner<Module>& owner() {
  static auto* const made = new Owner<Module>;
  return *made;
}

}  // namespace oriel::modules
