// A process with the scripted runtime: plays the script that its only argument names.
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <sstream>

#include "engine/engine.h"
#include "runtimes/scripted/player.h"

int main(int argc, char** argv) {
  std::ifstream in(argc == 2 ? argv[1] : "");
  if (!in) {
    std::cerr << "usage: oriel_scripted_host SCRIPT\n";
    return 2;
  }
  std::stringstream text;
  text << in.rdbuf();
  const auto script = oriel::scripted::parse_script(text.str());
  if (!script) {
    std::cerr << argv[1] << ": " << script.message() << "\n";
    return 2;
  }
  // Never destroyed, as engine and modules may use it while the process exits.
  auto& runtime = *new oriel::scripted::ScriptedRuntime;
  oriel::engine_start(runtime);
  oriel::raise_runtime_initialized();
  oriel_thread* const thread = oriel::thread_attached(0xffff0, static_cast<uint32_t>(syscall(SYS_gettid)));
  oriel::raise_thread_started(thread);
  oriel::scripted::Player player(runtime);
  const oriel::Status status = player.play(*script);
  if (!status) std::cerr << argv[1] << ": " << status.message() << "\n";
  oriel::raise_runtime_shutdown_begin();
  oriel::raise_runtime_shutdown_end();
  oriel::engine_stop();
  return status ? 0 : 1;
}
