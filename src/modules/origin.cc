#include "modules/origin.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string_view>
#include <system_error>

#include "base/files/input_file.h"

namespace oriel::modules {
namespace {

// Data common to all images in a folder.
struct Folder {
  Origin of_all;         // if it is in an installation of .NET
  bool of_mono = false;  // it is in one of Mono
  Deps from_deps;
};

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// The part of a path from `at` to the next '/'.
std::string part(const std::string& path, size_t at) { return path.substr(at, path.find('/', at) - at); }

// "…/dotnet/shared/Microsoft.NETCore.App/10.0.12/", "…/dotnet/sdk/10.0.100/…", where `root` is "…/dotnet".
Origin in_installation(const std::string& root, const std::string& folder) {
  for (const std::string_view kind : {"/shared/", "/sdk/", "/packs/"}) {
    const std::string_view below = std::string_view(folder).substr(root.size());
    if (!below.starts_with(kind)) continue;
    const std::string name = kind == "/sdk/" ? "SDK" : part(folder, root.size() + kind.size());
    const size_t version = kind == "/sdk/" ? root.size() + kind.size() : root.size() + kind.size() + name.size() + 1;
    return {log::Origin::kFramework, name + (version < folder.size() ? " " + part(folder, version) : "")};
  }
  return {log::Origin::kFramework, ".NET"};
}

// Searches the parents for the library that finds frameworks and SDKs: …/dotnet/host/fxr. These are there, and packs
// with what compilers load; tools installed beside them are the user's. `folder` ends in '/'.
Origin of_installation(const std::string& folder) {
  for (size_t end = folder.rfind('/'); end != std::string::npos && end > 0; end = folder.rfind('/', end - 1)) {
    const std::string root = folder.substr(0, end);
    if (!exists(root + "/host/fxr")) continue;
    return folder.starts_with(root + "/tools/") ? Origin() : in_installation(root, folder);
  }
  return {};
}

// "…/lib/mono/4.5/", "…/lib/mono/gac/System/4.0.0.0__b77a5c561934e089/".
bool is_in_mono(const std::string& folder) {
  const size_t at = folder.rfind("/mono/");
  return at != std::string::npos && exists(folder.substr(0, at) + "/mono/4.5/mscorlib.dll");
}

Deps deps_in(const std::string& folder) {
  constexpr uint64_t kMostBytes = 64u << 20;  // of a file written by a build
  Deps origins;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
  if (!listing) return origins;
  while (const dirent* entry = readdir(listing.get())) {
    const std::string name = entry->d_name;
    if (!name.ends_with(".deps.json")) continue;
    const Result<std::string> text = read_input_text(folder + name, kMostBytes);
    if (!text) continue;
    Deps read = read_deps(*text);
    origins.files.merge(read.files);
    origins.references.merge(read.references);
    origins.without_files.merge(read.without_files);
  }
  return origins;
}

const Folder& about(const std::string& folder) {
  static std::mutex lock;
  static auto& known = *new std::map<std::string, Folder>;
  {
    const std::lock_guard guard(lock);
    if (const auto found = known.find(folder); found != known.end()) return found->second;
  }
  Folder read;
  read.of_all = of_installation(folder);
  read.of_mono = is_in_mono(folder);
  if (read.of_all.kind == log::Origin::kUnknown) read.from_deps = deps_in(folder);
  const std::lock_guard guard(lock);
  return known.emplace(folder, std::move(read)).first->second;
}

// "…/newtonsoft.json/13.0.3/lib/net6.0/": a package folder, where a restore unpacked it.
Origin of_package(const std::string& folder) {
  for (size_t end = folder.rfind('/'); end != std::string::npos && end > 0; end = folder.rfind('/', end - 1)) {
    const std::string root = folder.substr(0, end);
    if (!exists(root + "/.nupkg.metadata")) continue;
    const size_t version = root.rfind('/');
    const size_t name = version == 0 ? std::string::npos : root.rfind('/', version - 1);
    if (name == std::string::npos) return {};
    return {log::Origin::kPackage, part(root, name + 1) + " " + root.substr(version + 1)};
  }
  return {};
}

std::string folder_of_all_packages() {
  const char* const named = getenv("NUGET_PACKAGES");
  if (named && *named) return named;
  const char* const home = getenv("HOME");
  return home ? std::string(home) + "/.nuget/packages" : "";
}

// Required by the test platform for adapters of test frameworks, which packages' builds put beside the program.
bool is_named_as_adapter(std::string_view file) {
  constexpr std::string_view kEnding = "testadapter.dll";
  return file.size() >= kEnding.size() &&
         std::ranges::equal(file.substr(file.size() - kEnding.size()), kEnding,
                            [](char c, char lower) { return (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) == lower; });
}

// There are few such packages, and few unlisted files.
Origin put_there_by_build(const Deps& deps, const std::string& file) {
  if (deps.without_files.empty()) return {};
  const std::filesystem::path packages = folder_of_all_packages();
  for (const auto& [folder, package] : deps.without_files) {
    std::error_code error;
    for (auto entry = std::filesystem::recursive_directory_iterator(packages / folder, error);
         !error && entry != std::filesystem::end(entry); entry.increment(error))
      if (entry->path().filename() == file) return package;
  }
  return {};
}

// A developer's own build has the PDB beside the assembly or embedded; a third-party library mostly has none.
bool has_symbols(const std::string& path) {
  constexpr uint64_t kMostBytes = 64u << 20;
  constexpr std::string_view kEmbedded = "MPDB";
  const size_t dot = path.rfind('.');
  if (exists(path.substr(0, dot) + ".pdb")) return true;
  const Result<std::string> text = read_input_text(path, kMostBytes);
  return text && text->find(kEmbedded) != std::string::npos;
}

bool begins_with_one(const std::string& file, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return file.starts_with(beginning); });
}

// For images whose location does not tell: in the folder of a self-contained program, in a bundle, in memory.
bool is_named_as_framework(const std::string& file) {
  return begins_with_one(file, {"System.", "Microsoft.", "mscorlib.", "netstandard.", "WindowsBase."});
}

// The runners of tests and their frameworks, where nothing describes them: Mono's programs have no *.deps.json.
bool is_named_as_test_runner(const std::string& file) {
  return begins_with_one(file, {"nunit.", "nunit-", "nunit3-", "nunitlite", "xunit."});
}

}  // namespace

Origin origin_of(const std::string& path, const std::string& assembly) {
  const Origin own{log::Origin::kProject, assembly};
  const Origin framework{log::Origin::kFramework, ".NET"};
  if (path.empty()) return is_named_as_framework(assembly + ".") ? framework : own;
  const size_t slash = path.rfind('/');
  const std::string folder = path.substr(0, slash + 1), file = path.substr(slash + 1);
  const Folder& known = about(folder);
  if (known.of_all.kind != log::Origin::kUnknown) return known.of_all;
  if (known.of_mono && file.ends_with(".dll")) return {log::Origin::kFramework, "Mono"};
  if (const auto found = known.from_deps.files.find(file); found != known.from_deps.files.end()) return found->second;
  const auto reference = known.from_deps.references.find(file);
  const bool is_reference = reference != known.from_deps.references.end();
  const bool has_deps = !known.from_deps.files.empty() || is_reference;
  if (has_deps && (is_named_as_adapter(file) || is_named_as_framework(file))) return {log::Origin::kPackage, assembly};
  if (Origin package = put_there_by_build(known.from_deps, file); package.kind != log::Origin::kUnknown) return package;
  if (is_reference && !has_symbols(path)) return {log::Origin::kPackage, reference->second};
  if (Origin package = of_package(folder); package.kind != log::Origin::kUnknown) return package;
  if (!has_deps && is_named_as_test_runner(file)) return {log::Origin::kPackage, assembly};
  return is_named_as_framework(file) && exists(folder + "System.Private.CoreLib.dll") ? framework : own;
}

bool is_own_code(const std::string& path, const std::string& assembly) {
  try {
    return origin_of(path, assembly).kind == log::Origin::kProject;
  } catch (const std::exception&) {
    return true;
  }
}

}  // namespace oriel::modules
