// Loads, compilations, unloads, lookups and listeners that come and go, all at once; also run under TSan.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/engine.h"
#include "oriel/code.h"
#include "runtimes/scripted/player.h"

namespace oriel::scripted {
namespace {

ScriptedRuntime& running() {
  static auto* const runtime = [] {
    auto* made = new ScriptedRuntime;
    engine_start(*made);
    return made;
  }();
  return *runtime;
}

Status play(const std::string& text) {
  const auto script = parse_script(text);
  if (!script) return script.status();
  Player player(running());
  return player.play(*script);
}

bool is_bracketed(const char* name) { return name[0] == '[' || name[0] == '\0'; }

// What a log's writer thread does: names every method by id as it comes, resolves addresses of now and before.
void read_everything(const std::atomic<bool>& done, std::atomic<unsigned>& wrong) {
  uint32_t named = 0;
  uintptr_t address = 0x400000;
  while (!done) {
    for (; named < oriel_method_count(); ++named) {
      if (is_bracketed(oriel_method_name(oriel_method_by_id(named + 1)))) ++wrong;
    }
    oriel_frame frame;
    oriel_resolve_address(address, oriel_clock() - 1000, &frame);
    if (frame.kind == ORIEL_FRAME_MANAGED && is_bracketed(oriel_method_name(frame.method))) ++wrong;
    address = address > 0x4ff000 ? 0x400000 : address + 0x40;
  }
}

TEST(Races, UnloadsNeverLeaveAnIdWithoutAName) {
  ScriptedRuntime& runtime = running();
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  std::atomic<bool> done{false};
  std::atomic<unsigned> wrong{0};
  std::thread reader([&] { read_everything(done, wrong); });
  std::thread listener([&] {
    while (!done) {
      oriel_profiler_set_method_free_callback(handle, [](oriel_profiler*, oriel_method*) {});
      oriel_profiler_set_jit_done_callback(handle, [](oriel_profiler*, oriel_method*, const void*, uint64_t) {});
      oriel_profiler_set_method_free_callback(handle, nullptr);
      oriel_profiler_set_jit_done_callback(handle, nullptr);
    }
  });
  // Each thread's methods live in a place of its own, and come there again with every round.
  const Status status = play(
      "parallel 6\nrepeat 60\nassembly A{t}_{i}\nimage I{t}_{i} assembly=A{t}_{i}\nclass C{t}_{i} image=I{t}_{i}\n"
      "class D{t}_{i} image=I{t}_{i}\n"
      "method M{t}_{i} class=C{t}_{i}\nmethod N{t}_{i} class=D{t}_{i}\njit M{t}_{i} at=0x40{t}000 size=0x200\n"
      "jit N{t}_{i} at=0x41{t}000 size=0x100\nresolve M{t}_{i} expect=M{t}_{i}\n"
      "throw D{t}_{i} through=N{t}_{i} caught=M{t}_{i}\nunload image I{t}_{i}\n"
      "unload assembly A{t}_{i}\nend\nend\n");
  done = true;
  reader.join();
  listener.join();
  EXPECT_TRUE(status.is_ok()) << status.message();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(runtime.late_questions(), 0u);
  EXPECT_GE(oriel_method_count(), 720u);
  for (uint32_t id = 1; id <= oriel_method_count(); ++id) {
    ASSERT_FALSE(is_bracketed(oriel_method_name(oriel_method_by_id(id)))) << id;
  }
  for (uint32_t id = 1; id <= oriel_class_count(); ++id) {
    ASSERT_FALSE(is_bracketed(oriel_class_name(oriel_class_by_id(id)))) << id;
  }
  for (uint32_t id = 1; id <= oriel_image_count(); ++id) {
    ASSERT_FALSE(is_bracketed(oriel_image_name(oriel_image_by_id(id)))) << id;
  }
}

// Filters are asked on the engine's thread meanwhile; what was kept with a thing is told once, whoever comes first.
TEST(Races, MethodsAreMadeAnewAndRevertedWhileOthersUnloadThem) {
  running();
  static std::atomic<unsigned> told{0};
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_rewriter_callbacks(
      handle, [](oriel_profiler*, oriel_method* method) { return is_bracketed(oriel_method_name(method)); },
      [](oriel_profiler*, oriel_method*, oriel_method_body*) {});
  std::atomic<bool> done{false};
  unsigned kept = 0;
  std::thread asker([&] {
    for (uint32_t id = 1; !done; id = id < oriel_method_count() ? id + 1 : 1) {
      oriel_method* const method = oriel_method_by_id(id);
      if (!method) continue;
      kept += oriel_method_set_data(method, handle, 1, &told, [](oriel_profiler*, void*) { ++told; });
      oriel_method_revert(handle, method);
      oriel_method_rejit(handle, method);
      oriel_method_inliners(method, nullptr, 0, nullptr);
    }
  });
  const Status status = play(
      "parallel 4\nrepeat 60\nassembly E{t}_{i}\nimage E{t}_{i}.dll assembly=E{t}_{i}\nclass EC{t}_{i} "
      "image=E{t}_{i}.dll\n"
      "method EM{t}_{i} class=EC{t}_{i}\njit EM{t}_{i}\nunload image E{t}_{i}.dll\nunload assembly "
      "E{t}_{i}\nend\nend\n");
  done = true;
  asker.join();
  oriel_profiler_set_rewriter_callbacks(handle, nullptr, nullptr);
  EXPECT_TRUE(status.is_ok()) << status.message();
  EXPECT_EQ(told, kept) << "all is unloaded";
}

TEST(Races, ThreadsComeAndGoWhileOthersAskForThem) {
  running();
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      for (uint32_t id = 1; id <= oriel_thread_count(); ++id) {
        oriel_thread* const thread = oriel_thread_by_id(id);
        ASSERT_NE(oriel_thread_get_name(thread), nullptr);
        ASSERT_NE(oriel_thread_by_os_id(oriel_thread_os_id(thread)), nullptr);
      }
    }
  });
  EXPECT_TRUE(play("repeat 20\nparallel 8\nrename w{t}_{i}\nend\nend\n").is_ok());
  done = true;
  reader.join();
}

}  // namespace
}  // namespace oriel::scripted
