// A module for tests that nobody holds a lock while a module is called: in each callback around code it waits for
// another thread that asks for what takes locks. Says at the end in which callbacks that was.
#include <oriel/code.hpp>

#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

oriel_profiler_handle handle = nullptr;
std::mutex lock;  // the next
std::map<std::string, int> waited;

bool is_of_programs(oriel_image* image) { return std::strcmp(oriel_image_name(image), "programs.dll") == 0; }

void ask(oriel_image* image) {
  oriel_image_string(image, "waited", nullptr, 0);
  oriel_image_assembly_ref(image, "System.Runtime", nullptr, 0);
  oriel_image_define_type(image, "Edited", "[System.Runtime]System.Object", 0, nullptr, 0);  // is there already
  oriel_image_types(image, nullptr, 0);
  oriel_method* const method = oriel_image_method(image, 0x06000001);
  oriel_method_inliners(method, nullptr, 0, nullptr);
  oriel_method_revert(handle, method);
  oriel_image_set_data(image, handle, 2, nullptr, nullptr);
}

void wait(const char* callback, oriel_image* image) {
  constexpr int kEnough = 20;
  {
    const std::lock_guard<std::mutex> guard(lock);
    if (++waited[callback] > kEnough) return;
  }
  std::thread([&] {
    oriel_thread_attach_tools();
    ask(image);
  }).join();
}

// What goes when another takes its place.
void keep(oriel_image* image) {
  oriel_image_set_data(image, handle, 1, image,
                       [](oriel_profiler*, void* data) { wait("data", static_cast<oriel_image*>(data)); });
}

void loaded(oriel_profiler*, oriel_image* image) {
  if (!is_of_programs(image)) return;
  wait("image_loaded", image);
  oriel_image_define_method(
      image, "int32 Edited::Waited()", ORIEL_MEMBER_IS_PUBLIC,
      [](void* of, oriel_method_body* body) {
        wait("body", static_cast<oriel_image*>(of));
        oriel::Code code(body);
        code.before(code.end_mark(), {code.make(ORIEL_IL_Ldc_I4, 1), code.make(ORIEL_IL_Ret)});
      },
      image, nullptr, 0);
  keep(image);
  keep(image);
}

bool may_choose(oriel_profiler*, oriel_image* image) {
  if (is_of_programs(image)) wait("image filter", image);
  return is_of_programs(image);
}
bool chooses(oriel_profiler*, oriel_method* method) {
  wait("filter", oriel_method_image(method));
  return std::strncmp(oriel_method_name(method), "Edited.", 7) == 0;
}
void rewrite(oriel_profiler*, oriel_method* method, oriel_method_body* body) {
  wait("rewriter", oriel_method_image(method));
  oriel::Code code(body);
  code.before(code.first(), {code.make(ORIEL_IL_Nop)});
}

void report(oriel_profiler*) {
  const std::lock_guard<std::mutex> guard(lock);
  std::fprintf(stderr, "waiter:");
  for (const auto& [name, count] : waited) std::fprintf(stderr, " %s,", name.c_str());
  std::fprintf(stderr, "\n");
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_waiter(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_waiter(const char*) {
  handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_image_filter_callback(handle, may_choose);
  oriel_profiler_set_image_loaded_callback(handle, loaded);
  oriel_profiler_set_rewriter_callbacks(handle, chooses, rewrite);
  oriel_profiler_set_cleanup_callback(handle, report);
  return 0;
}
