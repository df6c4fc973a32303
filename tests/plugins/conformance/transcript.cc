#include "transcript.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace conformance {
namespace {

thread_local int depth = 0;

std::FILE* file() {
  static std::FILE* const opened = [] {
    const char* path = std::getenv("ORIEL_TRANSCRIPT");
    std::FILE* made = path == nullptr ? nullptr : std::fopen(path, "w");
    return made == nullptr ? stderr : made;
  }();
  return opened;
}

// Found by name, as the engine's users do it, because they are not linked with it.
void free_string(Bstr text) {
  using Free = HResult (*)(Bstr);
  static const auto free = [] {
    void* engine = dlopen("libInstrumentationEngine.so", RTLD_LAZY | RTLD_NOLOAD);
    return engine == nullptr ? nullptr : reinterpret_cast<Free>(dlsym(engine, "InstrumentationEngineFreeString"));
  }();
  if (free != nullptr) free(text);
}

}  // namespace

Part::Part(const std::string& title) {
  write_line(title);
  ++depth;
}
Part::~Part() { --depth; }

void write_line(const std::string& text) {
  static std::mutex writing;
  const std::lock_guard guard(writing);
  std::fprintf(file(), "%*s%s\n", 2 * depth, "", text.c_str());
  std::fflush(file());
}

std::string shown(Bstr text) {
  if (text == nullptr) return "null";
  std::string narrow;
  for (const char16_t* at = text; *at != 0; ++at) narrow += *at < 0x80 ? static_cast<char>(*at) : '?';
  free_string(text);
  // Folders differ from machine to machine.
  const size_t slash = narrow.rfind('/');
  return "\"" + (slash == std::string::npos ? narrow : "…" + narrow.substr(slash)) + "\"";
}

std::string shown(const Guid& id) {
  char text[64];
  std::snprintf(text, sizeof text, "%08x-%04x-%04x", id.data1, id.data2, id.data3);
  return text;
}

std::string shown_bytes(const uint8_t* bytes, size_t size) {
  std::string text;
  char two[4];
  for (size_t i = 0; i < size; ++i) {
    std::snprintf(two, sizeof two, "%02x", bytes[i]);
    text += two;
  }
  return text.empty() ? "nothing" : text;
}

std::string result_name(HResult result) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<uint32_t>(result));
  return text;
}

void tell_faces(const char* of, IUnknown* object) {
  static constexpr Face kFaces[] = {
#define FACE(name) {#name, name::kId},
#include "faces.def"
#undef FACE
  };
  std::string line = std::string(of) + " is";
  for (const Face& face : kFaces) {
    IUnknown* found = nullptr;
    if (failed(object->QueryInterface(face.id, reinterpret_cast<void**>(&found))) || found == nullptr) continue;
    line += std::string(" ") + face.name;
    found->Release();
  }
  write_line(line);
}

}  // namespace conformance
