// A scripted program whose threads call methods, throw and allocate, and what logs say of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "log/format.h"
#include "log/sink.h"
#include "oriel/oriel.h"

extern "C" {
#define MODULE(name)                                                                                                  \
  int oriel_init_##name(const char* args);                                                                            \
  int oriel_module_start_##name(const char* options, char* message, size_t size);                                     \
  int oriel_module_apply_##name(const char* options, char* message, size_t size);                                     \
  int oriel_module_stop_##name(char* message, size_t size);                                                           \
  int oriel_module_change_##name(const char* base, const char* set, const char* dropped, char* message, size_t size); \
  int oriel_module_flush_##name(char* message, size_t size);                                                          \
  int oriel_module_rotate_##name(char* message, size_t size);                                                         \
  int oriel_module_status_##name(char* options, size_t options_size, char* file, size_t file_size);
MODULE(log)
MODULE(callgraph)
MODULE(coverage)
#undef MODULE
}

namespace oriel::scripted {

// "" where the function returns 0, else its message.
template <typename Function, typename... Options>
std::string said(Function* function, Options... options) {
  char message[512] = "";
  const int result = function(options..., message, sizeof message);
  return result == 0 ? "" : message;
}

// Starts the engine and loads the program's methods, once: Shop.Cart.Add(), Shop.Cart.Pay() and Other.Box.Open().
oriel_method* method_named(const std::string& name);
// As the engine does soon after a filter was set, on a thread of its own: asks the filters of all methods.
void ask_all_filters();

// What a method's probes tell.
void call(oriel_method* method);
void enter(oriel_method* method);
void leave(oriel_method* method);
void allocate_in(oriel_method* site);
void throw_exception();

// Threads that do something over and over until they are joined.
class Threads {
 public:
  Threads(unsigned count, const std::function<void()>& action);
  ~Threads() { join(); }
  void join();

 private:
  std::atomic<bool> done_{false};
  std::vector<std::thread> threads_;
};

struct Contents : log::EventSink {
  bool has_intro = false, has_end = false;
  std::map<std::string, std::string> properties;
  std::map<uint64_t, std::string> methods;
  std::map<std::string, uint64_t> events;   // by name; those of calls with the method's behind it
  std::map<std::string, uint64_t> calls;    // of call graphs, by method
  std::map<std::string, uint64_t> callers;  // calls in these that have a caller, by "CALLER>METHOD"
  std::map<std::string, uint64_t> lost;
  uint64_t samples = 0;
  std::vector<log::OptionChange> options;

  void on_intro(const log::Intro& intro) override;
  void on_method(const log::MethodName& name) override { methods[name.id] = name.name; }
  void on_event(const log::Event& event) override;
  void on_sample(uint64_t, const log::Sample&) override { ++samples; }
  void on_call_graph(const log::CallGraph&) override { nodes_.clear(); }
  void on_call_node(const log::CallNode& node) override;
  void on_options(const log::OptionChange& change) override { options.push_back(change); }
  void on_lost(const log::Lost& some) override;
  void on_end(const log::End&) override { has_end = true; }
  void on_problem(uint64_t, const std::string& message) override;

  uint64_t count(const std::string& name) const { return events.contains(name) ? events.at(name) : 0; }

 private:
  std::map<uint64_t, std::string> nodes_;
};

enum class Ending : bool { kThere, kMissing };
// Of a log that has its end, unless that may be missing.
Contents read_log(const std::string& path, Ending ending = Ending::kThere);
// A path in a folder of this test's, where nothing is.
std::string fresh_path(const std::string& name);

}  // namespace oriel::scripted
