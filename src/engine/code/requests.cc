#include "engine/code/requests.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/code/editor.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/or_else.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

// Identifies a metadata method, whatever its instantiations.
uint64_t key_of(const oriel_method& method) { return token_key(*method.image, method.token); }

struct Requests {
  std::mutex lock;  // not held while calling out
  std::vector<oriel_method*> pending;
  std::vector<std::pair<const oriel_profiler_desc*, uint64_t>> reverted;
};
Requests& requests() {
  static auto* const made = new Requests;
  return *made;
}
// The number of reverted methods: while it is 0, nobody takes the lock.
constinit std::atomic<size_t> reverted_count{0};

// For a method whose code can be recompiled; else nullptr. Call once: the image may be unloaded meanwhile.
CodeEditor* editor_of_code(oriel_method* method) {
  const bool has_code = method && !method->unloaded.load(std::memory_order_acquire) && oriel_method_token(method) != 0;
  return has_code ? editor_of(oriel_method_image(method)) : nullptr;
}

bool request(oriel_profiler_handle handle, oriel_method* method, bool reverted) {
  if (!handle || !editor_of_code(method)) return false;
  {
    const std::pair item(static_cast<const oriel_profiler_desc*>(handle), key_of(*method));
    const std::lock_guard guard(requests().lock);
    // An unload sets the flag before it takes the lock.
    if (method->image->unloaded.load(std::memory_order_seq_cst)) return false;
    auto& all = requests().reverted;
    requests().pending.push_back(method);
    const auto found = std::find(all.begin(), all.end(), item);
    if (reverted && found == all.end()) all.push_back(item);
    if (!reverted && found != all.end()) all.erase(found);
    reverted_count.store(all.size(), std::memory_order_release);
  }
  engine_thread::wake();
  return true;
}

}  // namespace

void forget_reverts_in(const oriel_image& image) {
  if (reverted_count.load(std::memory_order_acquire) == 0) return;
  const std::lock_guard guard(requests().lock);
  auto& all = requests().reverted;
  std::erase_if(all, [&](const auto& item) { return item.second >> 32 == image.id; });
  reverted_count.store(all.size(), std::memory_order_release);
}

bool is_reverted(const oriel_profiler_desc& profiler, const oriel_method* method) {
  if (reverted_count.load(std::memory_order_acquire) == 0 || !method->image) return false;
  const std::pair item(&profiler, key_of(*method));
  const std::lock_guard guard(requests().lock);
  const auto& all = requests().reverted;
  return std::find(all.begin(), all.end(), item) != all.end();
}

void recompile_requested(Runtime& runtime) {
  std::vector<oriel_method*> methods;
  {
    const std::lock_guard guard(requests().lock);
    methods.swap(requests().pending);
  }
  if (CodeEditor* const editor = runtime.code_editor(); editor && !methods.empty()) editor->recompile_methods(methods);
}

}  // namespace oriel

bool oriel_method_rejit(oriel_profiler_handle handle, oriel_method* method) {
  return oriel::or_else(false, [&] { return oriel::request(handle, method, false); });
}

bool oriel_method_revert(oriel_profiler_handle handle, oriel_method* method) {
  return oriel::or_else(false, [&] { return oriel::request(handle, method, true); });
}

size_t oriel_method_inliners(oriel_method* method, oriel_method** inliners, size_t max, uint32_t* unknown) {
  if (unknown) *unknown = ORIEL_INLINERS_PRECOMPILED | ORIEL_INLINERS_BEFORE;
  return oriel::or_else(size_t{0}, [&]() -> size_t {
    oriel::CodeEditor* const editor = oriel::editor_of_code(method);
    if (!editor) return 0;
    const oriel::Inliners found = editor->inliners(*method);
    if (inliners) std::copy_n(found.methods.begin(), std::min(max, found.methods.size()), inliners);
    if (unknown) *unknown = found.unknown;
    return found.methods.size();
  });
}
