#include "module/method_filter.h"

#include <unistd.h>

#include <map>
#include <mutex>

namespace oriel::modules {
namespace {

bool begins_with_any(const std::string& text, std::initializer_list<const char*> beginnings) {
  for (const char* beginning : beginnings) {
    if (text.starts_with(beginning)) return true;
  }
  return false;
}

// Where its place does not tell: in the folder of a self-contained program, in the bundle that a program is, in memory.
bool is_named_as_framework(const std::string& file) {
  return begins_with_any(file, {"System.", "Microsoft.", "mscorlib.", "netstandard.", "WindowsBase."});
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Below a folder with the library that finds frameworks and SDKs: …/dotnet/host/fxr. There these are, and packs with
// what compilers load; but the user's own are the tools that were installed beside them.
bool is_in_installation(const std::string& folder) {
  for (size_t end = folder.rfind('/'); end != std::string::npos && end > 0; end = folder.rfind('/', end - 1)) {
    const std::string root = folder.substr(0, end);
    if (exists(root + "/host/fxr")) return !folder.starts_with(root + "/tools/");
  }
  return false;
}

// As above, each folder looked at once; `folder` ends in '/'. The cache lives as long as the process.
bool comes_with_dotnet(const std::string& folder) {
  static std::mutex lock;
  static auto& known = *new std::map<std::string, bool>;
  {
    const std::lock_guard guard(lock);
    if (const auto found = known.find(folder); found != known.end()) return found->second;
  }
  const bool comes = is_in_installation(folder);
  const std::lock_guard guard(lock);
  known.emplace(folder, comes);
  return comes;
}

}  // namespace

bool is_user_code(const std::string& path, const std::string& assembly) {
  if (path.empty()) return !is_named_as_framework(assembly + ".");
  const size_t slash = path.rfind('/');
  const std::string folder = path.substr(0, slash + 1);
  if (comes_with_dotnet(folder)) return false;
  return !is_named_as_framework(path.substr(slash + 1)) || !exists(folder + "System.Private.CoreLib.dll");
}

uint8_t MethodFilter::about(oriel_image* image) {
  const uint32_t id = oriel_image_id(image);
  if (id < kRemembered) {
    if (const uint8_t known = images_[id].load(std::memory_order_relaxed)) return known;
  }
  oriel_assembly* assembly = oriel_image_assembly(image);
  const std::string name = assembly ? oriel_assembly_name(assembly) : "";
  const bool user_code = is_user_code(oriel_image_path(image), name);
  const auto choice = patterns_.of_assembly(
      name, user_code, [image](const std::string& prefix) { return oriel_image_has_names(image, prefix.c_str()); });
  const auto known =
      static_cast<uint8_t>(kKnown | (user_code ? kUserCode : 0) | static_cast<unsigned>(choice) << kChoiceShift);
  // An image that is being loaded has no assembly yet.
  if (assembly && id < kRemembered) images_[id].store(known, std::memory_order_relaxed);
  return known;
}

bool MethodFilter::wants_any(oriel_image* image) {
  return static_cast<MethodPatterns::Choice>(about(image) >> kChoiceShift) != MethodPatterns::Choice::kNo;
}

bool MethodFilter::wants(oriel_method* method) {
  oriel_image* image = oriel_method_image(method);
  if (!image) return false;  // a dynamic method
  const uint8_t known = about(image);
  const auto choice = static_cast<MethodPatterns::Choice>(known >> kChoiceShift);
  bool wanted = choice == MethodPatterns::Choice::kYes;
  if (choice == MethodPatterns::Choice::kByName) {
    oriel_assembly* assembly = oriel_image_assembly(image);
    wanted = patterns_.of_method(assembly ? oriel_assembly_name(assembly) : "", (known & kUserCode) != 0,
                                 oriel_method_name(method));
  }
  if (wanted && !chose_any_.load(std::memory_order_relaxed)) chose_any_.store(true, std::memory_order_relaxed);
  return wanted;
}

std::vector<std::string> MethodFilter::complaints(const std::string& option, bool any_call) const {
  std::vector<std::string> lines;
  for (const std::string& pattern : patterns_.unmatched()) {
    lines.push_back(option + " " + quoted_pattern(pattern) +
                    " matched no method that ran; patterns look like 'MyApp.*', 'MyApp.Cart.Add' or '[Assembly]'");
  }
  if (!lines.empty()) return lines;
  // Patterns have matched as soon as somebody asked: an image's before any method of it, a method's when it might run.
  if (patterns_.begin_with_user_code() && !chose_any_.load(std::memory_order_relaxed)) {
    lines.push_back(option + " found no user code; what comes with .NET is chosen by name: " + option +
                    "='System.Net.*'");
  } else if (!any_call) {
    lines.push_back(option + ": no method that PATTERNS mean was called");
  }
  return lines;
}

}  // namespace oriel::modules
