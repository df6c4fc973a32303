#include "diagnostics/runtime.h"

#include <elf.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "base/text/path.h"
#include "base/text/whole_number.h"
#include "symbols/byte_source.h"
#include "symbols/elf_image.h"

namespace oriel::diagnostics {
namespace {

bool has_file(const Process& process, std::string_view name) { return !mapped_file(process, name).empty(); }

bool has_file_that_begins(const Process& process, std::string_view beginning) {
  return std::ranges::any_of(process.files,
                             [&](std::string_view path) { return file_name(path).starts_with(beginning); });
}

bool is_mono(const Process& process) {
  return has_file(process, "mono-sgen") || has_file(process, "mono-boehm") ||
         has_file_that_begins(process, "libmonosgen-2.0") || has_file_that_begins(process, "libmono-2.0");
}

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

// "10.0.12" of "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/libcoreclr.so".
std::string version_of(std::string_view library) {
  const std::string folder = file_name(folder_of(library));
  return !folder.empty() && is_digit(folder[0]) ? folder : "";
}

// The names in a library's or an executable's dynamic symbol table.
std::string dynamic_names(const std::string& path) {
  const symbols::ByteSource source(path);
  const symbols::ElfSymbols dynamic = symbols::ElfImage(source).symbols(SHT_DYNSYM);
  return {dynamic.names.begin(), dynamic.names.end()};
}

// Linkers store a name that another one ends with as that other's end.
bool is_among(std::string_view name, const std::string& names) {
  return names.find(std::string(name) + '\0') != std::string::npos;
}

bool is_of_system(std::string_view path) { return path.starts_with("/lib") || path.starts_with("/usr/lib"); }

}  // namespace

const char* runtime_name(RuntimeKind kind) {
  switch (kind) {
    case RuntimeKind::kCoreClr:
      return "CoreCLR";
    case RuntimeKind::kNativeAot:
      return "NativeAOT";
    case RuntimeKind::kMono:
      return "Mono";
    case RuntimeKind::kNone:
      break;
  }
  return "";
}

Runtime runtime_of(const Process& process) {
  Runtime runtime;
  // The loader is musl's libc itself, on Debian a link to libc.so. glibc's libc.so is never mapped: it is a text.
  runtime.musl = has_file_that_begins(process, "ld-musl-") || has_file(process, "libc.so");
  if (const std::string_view library = mapped_file(process, "libcoreclr.so"); !library.empty()) {
    runtime.kind = RuntimeKind::kCoreClr;
    runtime.version = version_of(library);
    // Mapped after the pause that DOTNET_DefaultDiagnosticPortSuspend asks for.
    runtime.started = has_file(process, "libclrjit.so") || has_file(process, "System.Private.CoreLib.dll");
  } else if (is_mono(process)) {
    runtime.kind = RuntimeKind::kMono;
  }
  return runtime;
}

RuntimeKind runtime_in_executable(const Process& process) {
  return internal::runtime_in_file("/proc/" + std::to_string(process.pid) + "/exe");
}

bool embeds_mono(const std::string& path) {
  const symbols::ByteSource source(path);
  const std::vector<std::string> names = symbols::ElfImage(source).imported_names();
  return std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("mono_jit_init"); });
}

std::vector<std::string> profilers_in(const Process& process) {
  const std::string_view runtime = folder_of(mapped_file(process, "libcoreclr.so"));
  std::vector<std::string> profilers;
  for (const std::string& path : process.files) {
    if (path.find(".so") == std::string::npos || is_of_system(path) || folder_of(path) == runtime) continue;
    if (internal::exports(seen_path(process, path), "DllGetClassObject")) profilers.push_back(path);
  }
  return profilers;
}

std::optional<unsigned> major_version(std::string_view version) {
  const auto major = whole_number(version.substr(0, version.find('.')));
  if (!major || *major > 1000) return std::nullopt;
  return static_cast<unsigned>(*major);
}

namespace internal {

// By what executables export for debuggers.
RuntimeKind runtime_in_file(const std::string& path) {
  const std::string names = dynamic_names(path);
  if (is_among("DotNetRuntimeDebugHeader", names)) return RuntimeKind::kNativeAot;
  return is_among("DotNetRuntimeInfo", names) ? RuntimeKind::kCoreClr : RuntimeKind::kNone;
}

bool exports(const std::string& path, std::string_view function) { return is_among(function, dynamic_names(path)); }

}  // namespace internal
}  // namespace oriel::diagnostics
