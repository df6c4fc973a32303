// A module for tests of rewriting: changes methods of the class Rewritten by their names, and says on stderr at the end
// how often it was asked: "rewriter: changed=… refused=… …".
//
//   Answer     returns 41 in the metadata, 42 after the change
//   Invalid    is given code that adds with one value on the stack
//   NoToken    … that calls what is not there
//   Damaged    … that ends within an instruction
//   Throws     replaces its body, then throws
//
// Argument: late=MS (comes so long after the start; goes some seconds after it has changed something); or bodies
// (Invalid is given one after the other what must not be taken, "rewriter: taken N" names those that were).
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

// A fat header, room for so many values, these flags, and this code.
std::vector<uint8_t> fat(uint16_t max_stack, std::vector<uint8_t> code, uint8_t flags = 3, uint32_t locals = 0) {
  std::vector<uint8_t> body = {flags, 0x30, static_cast<uint8_t>(max_stack), static_cast<uint8_t>(max_stack >> 8)};
  const auto word = [&](size_t value) {
    for (int shift = 0; shift < 32; shift += 8) body.push_back(static_cast<uint8_t>(value >> shift));
  };
  word(code.size());
  word(locals);
  body.insert(body.end(), code.begin(), code.end());
  return body;
}

void try_bodies(oriel_method_body* body) {
  const std::vector<std::vector<uint8_t>> bad = {
      {},                                            // 0 nothing at all
      {0x03},                                        // 1 a header that is cut off
      fat(8, {}),                                    // 2 no code
      fat(1, {0x17, 0x18, 0x19, 0x58, 0x58, 0x2a}),  // 3 less room than three values take
      body_of({0x17, 0x17, 0x17, 0x17, 0x17, 0x17, 0x17, 0x17, 0x17, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58, 0x58,
               0x2a}),                                           // 4 nine values in a tiny method
      fat(8, {0x17, 0x2a}, 0x07),                                // 5 a flag that means nothing
      fat(8, {0x17, 0x2a}, 0x0b),                                // 6 sections that are not there
      fat(8, {0x17, 0x2a}, 3, 0x11ffffff),                       // 7 locals that are not there
      fat(8, {0x06, 0x2a}),                                      // 8 a local of none
      fat(8, {0x17, 0x2b, 0xf0, 0x2a}),                          // 9 a branch out of the code
      fat(8, {0x17, 0x2c, 0x01, 0x17, 0x2a}),                    // 10 different depths where branches meet
      fat(8, {0x17, 0x17, 0x2a}),                                // 11 more than it returns
      fat(8, {0x17}),                                            // 12 off the end
      fat(8, {0x17, 0xfe, 0x14, 0x2a}),                          // 13 a prefix of nothing
      fat(8, {0xfe, 0x00, 0x26, 0x17, 0x2a}),                    // 14 arglist
      fat(8, {0x17, 0x1e, 0xe0, 0xfe, 0x0f, 0x26, 0x2a}),        // 15 localloc above a value
      fat(8, {0x17, 0x2a, 0xdc, 0x2a}),                          // 16 endfinally outside a handler
      fat(8, {0x72, 0xff, 0xff, 0xff, 0x70, 0x26, 0x17, 0x2a}),  // 17 a string that is not there
      fat(8, {0x7e, 0x01, 0x00, 0x00, 0x06, 0x26, 0x17, 0x2a}),  // 18 a method for a field
      fat(8, {0x17, 0x29, 0x01, 0x00, 0x00, 0x11, 0x2a}),        // 19 calli by the signature of local variables
  };
  for (size_t i = 0; i < bad.size(); ++i) {
    if (oriel_method_body_replace(body, bad[i].data(), bad[i].size())) std::fprintf(stderr, "rewriter: taken %zu\n", i);
  }
  // Members of other types that are fields: none may be called.
  for (uint8_t row = 1; row != 0; ++row) {
    const auto field = fat(8, {0x7e, row, 0x00, 0x00, 0x0a, 0x26, 0x17, 0x2a});
    if (!oriel_method_body_replace(body, field.data(), field.size())) continue;
    const auto call = fat(8, {0x28, row, 0x00, 0x00, 0x0a, 0x17, 0x2a});
    if (oriel_method_body_replace(body, call.data(), call.size())) std::fprintf(stderr, "rewriter: taken as a call\n");
  }
  give(body, fat(8, {0x1f, 42, 0x2a}));
}

void rewrite_invalid(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  if (is_named(method, "Invalid")) try_bodies(body);
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
    const bool bodies = std::strcmp(args, "bodies") == 0;
    oriel_profiler_set_rewriter_callbacks(self.handle, wants, bodies ? rewrite_invalid : rewrite);
  }
  return 0;
}
