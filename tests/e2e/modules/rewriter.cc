// A module for tests of rewriting: changes methods of the class Rewritten by their names, and says on stderr at the end
// how often it was asked: "rewriter: changed=… refused=… …".
//
//   Answer     returns 41 in the metadata, 42 after the change
//   Invalid    is given code that adds with one value on the stack
//   NoToken    … that calls what is not there
//   Damaged    … that ends within an instruction
//   Throws     replaces its body, then throws
//
// Argument: late=MS (comes so long after the start; goes some seconds after it has changed something).
#include <oriel/oriel.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct oriel_profiler {
  std::atomic<unsigned> changed{0}, refused{0};
  oriel_profiler_handle handle = nullptr;
};

namespace {

oriel_profiler self;

bool is_of(oriel_image* image) { return std::strcmp(oriel_image_name(image), "programs.dll") == 0; }

bool is_named(oriel_method* method, const char* name) {
  return std::string(oriel_method_name(method)).find(std::string("Rewritten.") + name + "(") != std::string::npos;
}

// A tiny header and this code.
std::vector<uint8_t> body_of(std::initializer_list<uint8_t> code) {
  std::vector<uint8_t> body(1 + code.size());
  body[0] = static_cast<uint8_t>(code.size() << 2 | 2);
  std::copy(code.begin(), code.end(), body.begin() + 1);
  return body;
}

bool give(oriel_method_body* body, const std::vector<uint8_t>& bytes) {
  const bool taken = oriel_method_body_replace(body, bytes.data(), bytes.size());
  ++(taken ? self.changed : self.refused);
  return taken;
}

void rewrite(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  size_t size = 0;
  const uint8_t* bytes = oriel_method_body_bytes(body, &size);
  if (is_named(method, "Answer")) {
    std::vector<uint8_t> changed(bytes, bytes + size);
    for (size_t i = 0; i + 1 < size; ++i) {
      if (changed[i] == 0x1f && changed[i + 1] == 41) changed[i + 1] = 42;  // ldc.i4.s
    }
    give(body, changed);
  } else if (is_named(method, "Invalid")) {
    give(body, body_of({0x1f, 1, 0x00, 0x58, 0x2a}));  // ldc.i4.s 1, nop, add, ret
  } else if (is_named(method, "NoToken")) {
    give(body, body_of({0x28, 0xff, 0xff, 0xff, 0x06, 0x2a}));  // call
  } else if (is_named(method, "Damaged")) {
    give(body, body_of({0x28, 0x01}));
  } else if (is_named(method, "Throws")) {
    give(body, body_of({0x1f, 42, 0x2a}));
    throw std::runtime_error("rewriter");
  }
}

bool wants(oriel_profiler*, oriel_method* method) {
  return std::string(oriel_method_name(method)).find("Rewritten.") != std::string::npos;
}

void come_and_go(std::chrono::milliseconds after) {
  std::this_thread::sleep_for(after);
  oriel_profiler_set_rewriter_callbacks(self.handle, wants, rewrite);
  while (self.changed == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::seconds(3));
  oriel_profiler_set_rewriter_callbacks(self.handle, nullptr, nullptr);
}

void report(oriel_profiler*) {
  std::fprintf(stderr, "rewriter: changed=%u refused=%u\n", self.changed.load(), self.refused.load());
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_rewriter(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_rewriter(const char* args) {
  self.handle = oriel_profiler_create(&self);
  if (!self.handle) return 1;
  oriel_profiler_set_image_filter_callback(self.handle,
                                           [](oriel_profiler*, oriel_image* image) { return is_of(image); });
  oriel_profiler_set_cleanup_callback(self.handle, report);
  if (std::strncmp(args, "late=", 5) == 0) {
    std::thread(come_and_go, std::chrono::milliseconds(std::atoi(args + 5))).detach();
  } else {
    oriel_profiler_set_rewriter_callbacks(self.handle, wants, rewrite);
  }
  return 0;
}
