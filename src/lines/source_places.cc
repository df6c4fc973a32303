#include "lines/source_places.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

#include "base/process/kept_errno.h"

namespace oriel::lines {
namespace {

namespace fs = std::filesystem;

// Folders without user sources.
constexpr std::string_view kOfSystem[] = {
    "/etc",   "/proc",  "/sys",    "/dev",     "/run",       "/boot",     "/bin",     "/sbin",     "/lib",
    "/lib32", "/lib64", "/libx32", "/var/log", "/var/spool", "/var/mail", "/usr/bin", "/usr/sbin", "/lost+found"};
// Folders that are never a project as a whole.
constexpr std::string_view kNoProject[] = {"/",          "/home",    "/root", "/usr",     "/usr/local",
                                           "/usr/share", "/usr/lib", "/var",  "/var/lib", "/tmp",
                                           "/var/tmp",   "/opt",     "/srv",  "/mnt",     "/media"};

// Extensions of source files: other files in a project may contain secrets.
constexpr std::string_view kNamedAsCode[] = {
    ".cs",    ".csx", ".fs", ".fsi", ".fsx", ".fsl", ".fsy", ".vb", ".razor", ".cshtml", ".aspx", ".ascx", ".xaml",
    ".axaml", ".tt",  ".il", ".g4",  ".l",   ".lex", ".y",   ".rl", ".c",     ".cc",     ".cpp",  ".h"};

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool is_of_system(const fs::path& path) {
  return std::ranges::any_of(kOfSystem, [&](std::string_view folder) { return is_below(path, folder); });
}

// Looks only at components after those of `front`, such as ".ssh" and ".env"; ".nuget" is allowed, because packages
// with sources are there.
bool has_hidden_part(const fs::path& path, const fs::path& front) {
  auto part = path.begin();
  std::advance(part, std::distance(front.begin(), front.end()));
  return std::any_of(part, path.end(), [](const fs::path& name) {
    const std::string text = name.string();
    return text.starts_with('.') && text != ".nuget";
  });
}

bool may_be_project(const fs::path& folder) {
  const char* const home = std::getenv("HOME");
  std::error_code error;
  if (home != nullptr && *home != '\0' && is_below(fs::weakly_canonical(home, error), folder)) return false;
  return !is_of_system(folder) && std::ranges::find(kNoProject, folder.string()) == std::end(kNoProject);
}

bool has_project_file(const fs::path& folder) {
  constexpr int kMostEntries = 4096;
  constexpr std::string_view kEndings[] = {".sln", ".slnx", ".slnf", ".csproj", ".fsproj", ".vbproj"};
  std::error_code error;
  int seen = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && seen < kMostEntries;
       at.increment(error), ++seen)
    if (std::ranges::find(kEndings, at->path().extension().string()) != std::end(kEndings)) return true;
  return false;
}

// "" if the folder is not in a project.
fs::path project_of(const fs::path& start) {
  constexpr int kMostAbove = 16;
  std::error_code error;
  fs::path outermost, folder = start;
  for (int i = 0; i < kMostAbove && may_be_project(folder); ++i, folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return folder;
    if (has_project_file(folder)) outermost = folder;
  }
  return outermost;
}

struct Folders {
  std::set<fs::path> named;     // by the user
  std::set<fs::path> projects;  // real paths, including named ones
  std::set<fs::path> looked_at;

  Folders() {
    std::error_code error;
    const fs::path here = fs::canonical(fs::current_path(error), error);
    if (error) return;
    const fs::path project = project_of(here);
    if (!project.empty())
      projects.insert(project);
    else if (may_be_project(here))
      projects.insert(here);
  }
};

Folders& folders() {
  static Folders all;
  return all;
}

}  // namespace

// Preserves errno, which the page writer reports if a write fails.
SourcePlace place_of_source(const fs::path& file) {
  const KeptErrno kept;
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  if (error || !fs::is_regular_file(real, error)) return SourcePlace::kRefused;
  const Folders& all = folders();
  if (std::ranges::any_of(all.named, [&](const fs::path& folder) { return is_below(real, folder); }))
    return SourcePlace::kOwn;
  if (is_of_system(real)) return SourcePlace::kRefused;
  const bool is_code = std::ranges::find(kNamedAsCode, real.extension().string()) != std::end(kNamedAsCode);
  for (const fs::path& project : all.projects)
    if (is_below(real, project) && !has_hidden_part(real, project))
      return is_code ? SourcePlace::kOwn : SourcePlace::kElsewhere;
  return has_hidden_part(real, {}) ? SourcePlace::kRefused : SourcePlace::kElsewhere;
}

Status add_source_folder(const std::string& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(folder, error);
  if (error || !fs::is_directory(real, error))
    return Status::error("--sources " + folder + ": there is no such folder");
  folders().named.insert(real);
  return Status::ok();
}

void add_project_of(const std::string& assembly) {
  const KeptErrno kept;
  std::error_code error;
  const fs::path folder = fs::canonical(fs::path(assembly).parent_path(), error);
  if (error || assembly.empty() || !folders().looked_at.insert(folder).second) return;
  if (!fs::is_regular_file(assembly, error)) return;
  if (const fs::path project = project_of(folder); !project.empty()) folders().projects.insert(project);
}

}  // namespace oriel::lines
