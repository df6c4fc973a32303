#include "lifecycle/running_program.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "engine/engine.h"
#include "engine/filters.h"
#include "log/decoder.h"
#include "runtimes/scripted/player.h"

namespace oriel::scripted {
namespace {

constexpr const char* kProgram =
    "assembly Shop\nimage Shop.dll assembly=Shop path=/app/Shop.dll\nclass Shop.Cart image=Shop.dll\n"
    "class Other.Box image=Shop.dll\nmethod Add class=Shop.Cart\nmethod Pay class=Shop.Cart\nmethod Open "
    "class=Other.Box\n"
    "jit Add at=0x400000 size=0x100\njit Pay at=0x401000 size=0x100\njit Open at=0x402000 size=0x100\n";

ScriptedRuntime& running_program() {
  static auto* const runtime = [] {
    auto* const made = new ScriptedRuntime;
    engine_start(*made);
    const auto script = parse_script(kProgram);
    EXPECT_TRUE(script) << script.message();
    Player player(*made);
    const Status status = player.play(*script);
    EXPECT_TRUE(status) << status.message();
    return made;
  }();
  return *runtime;
}

}  // namespace

oriel_method* method_named(const std::string& name) {
  running_program();
  for (uint32_t id = 1; id <= oriel_method_count(); ++id) {
    oriel_method* const method = oriel_method_by_id(id);
    if (std::string(oriel_method_name(method)).find(name) != std::string::npos) return method;
  }
  ADD_FAILURE() << "no method " << name;
  return nullptr;
}

void ask_all_filters() {
  for (uint32_t id = 1; id <= oriel_method_count(); ++id) {
    oriel_method* const method = oriel_method_by_id(id);
    if (oriel_image* const image = oriel_method_image(method)) ask_filters(method, image);
  }
}

void enter(oriel_method* method) { raise_method_enter(method, nullptr); }
void leave(oriel_method* method) { raise_method_leave(method, nullptr); }
void call(oriel_method* method) {
  enter(method);
  leave(method);
}
void allocate_in(oriel_method* site) { raise_gc_allocation(oriel_class_by_id(1), 24, nullptr, site); }
void throw_exception() { raise_exception_throw(nullptr); }

Threads::Threads(unsigned count, const std::function<void()>& action) {
  for (unsigned i = 0; i < count; ++i) {
    threads_.emplace_back([this, action] {
      while (!done_.load(std::memory_order_relaxed)) action();
    });
  }
}

void Threads::join() {
  done_ = true;
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void Contents::on_intro(const log::Intro& intro) {
  has_intro = true;
  properties.insert(intro.properties.begin(), intro.properties.end());
}

void Contents::on_event(const log::Event& event) {
  const log::EventDescription* const description = log::describe_event(event.number);
  std::string name = description ? description->name : std::to_string(event.number);
  if (name.starts_with("method_")) name += " " + methods[event.values[0]];
  if (event.number == oriel_event_gc_allocation) name += " in " + methods[event.values[3]];
  ++events[name];
}

void Contents::on_call_node(const log::CallNode& node) {
  const std::string& method = nodes_[node.id] = methods[node.method];
  calls[method] += node.calls;
  if (node.parent != 0) callers[nodes_[node.parent] + ">" + method] += node.calls;
}

void Contents::on_lost(const log::Lost& some) { lost[some.reason] += some.count; }

void Contents::on_problem(uint64_t offset, const std::string& message) { ADD_FAILURE() << message << " at " << offset; }

Contents read_log(const std::string& path, Ending ending) {
  Contents contents;
  const auto outcome = log::decode_file(path, contents);
  EXPECT_TRUE(outcome) << path << ": " << outcome.message();
  EXPECT_TRUE(contents.has_intro && (contents.has_end || ending == Ending::kMissing)) << path << " is not complete";
  return contents;
}

std::string fresh_path(const std::string& name) {
  static const std::string folder = [] {
    const std::string made = testing::TempDir() + "lifecycle-" + std::to_string(getpid()) + "/";
    std::filesystem::remove_all(made);
    std::filesystem::create_directories(made);
    return made;
  }();
  return folder + name;
}

}  // namespace oriel::scripted
