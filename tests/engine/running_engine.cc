#include "engine/running_engine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/engine.h"
#include "engine/messages.h"

namespace oriel::test {

scripted::ScriptedRuntime& running_engine() {
  static scripted::ScriptedRuntime* const runtime = [] {
    auto* made = new scripted::ScriptedRuntime;
    engine_start(*made);
    return made;
  }();
  return *runtime;
}

void play(const std::string& text) {
  scripted::ScriptedRuntime& runtime = running_engine();
  const auto script = scripted::parse_script(text);
  ASSERT_TRUE(script.is_ok()) << script.message();
  scripted::Player player(runtime);
  const Status status = player.play(*script);
  ASSERT_TRUE(status.is_ok()) << status.message();
}

oriel_profiler_handle sampling_owner() {
  static const oriel_profiler_handle owner = oriel_profiler_create(nullptr);
  return owner;
}

std::string said_by(const std::function<void()>& body) {
  testing::internal::CaptureStderr();
  remember_stderr();
  body();
  std::string said = testing::internal::GetCapturedStderr();
  remember_stderr();
  return said;
}

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace oriel::test
