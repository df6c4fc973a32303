#include "common/method_filter.h"

#include <unistd.h>

#include <cctype>

namespace oriel::modules {
namespace {

bool begins_with_any(const std::string& text, std::initializer_list<const char*> beginnings) {
  for (const char* beginning : beginnings) {
    if (text.starts_with(beginning)) return true;
  }
  return false;
}

// In the folder of a self-contained program its own files stand among the framework's.
bool is_named_as_framework(const std::string& file) {
  return begins_with_any(file, {"System.", "Microsoft.", "mscorlib.", "netstandard.", "WindowsBase."});
}

// …/shared/Microsoft.NETCore.App/10.0.1/System.Linq.dll
bool is_in_shared_framework(const std::string& folder) {
  const size_t shared = folder.find("/shared/Microsoft.");
  if (shared == std::string::npos) return false;
  const size_t name_end = folder.find('/', shared + 8);
  return folder.compare(name_end - 4, 5, ".App/") == 0;
}

// …/sdk/10.0.101/MSBuild.dll, where the host that starts SDKs stands beside.
bool is_in_sdk(const std::string& folder) {
  const size_t sdk = folder.find("/sdk/");
  if (sdk == std::string::npos || sdk + 5 >= folder.size() ||
      !std::isdigit(static_cast<unsigned char>(folder[sdk + 5])))
    return false;
  return access((folder.substr(0, sdk) + "/host/fxr").c_str(), F_OK) == 0;
}

}  // namespace

bool is_user_code(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (path.empty() || slash == std::string::npos) return false;
  const std::string folder = path.substr(0, slash + 1);
  if (is_in_shared_framework(folder) || is_in_sdk(folder)) return false;
  if (!is_named_as_framework(path.substr(slash + 1))) return true;
  return access((folder + "System.Private.CoreLib.dll").c_str(), F_OK) != 0;
}

uint8_t MethodFilter::about(oriel_image* image) {
  const uint32_t id = oriel_image_id(image);
  if (id < kRemembered) {
    if (const uint8_t known = images_[id].load(std::memory_order_relaxed)) return known;
  }
  oriel_assembly* assembly = oriel_image_assembly(image);
  const bool user_code = is_user_code(oriel_image_path(image));
  const auto choice = patterns_.of_assembly(
      assembly ? oriel_assembly_name(assembly) : "", user_code,
      [image](const std::string& prefix) { return oriel_image_has_names(image, prefix.c_str()); });
  const auto known =
      static_cast<uint8_t>(kKnown | (user_code ? kUserCode : 0) | static_cast<unsigned>(choice) << kChoiceShift);
  if (id < kRemembered) images_[id].store(known, std::memory_order_relaxed);
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

std::vector<std::string> MethodFilter::complaints(const std::string& option) const {
  std::vector<std::string> lines;
  for (const std::string& pattern : patterns_.unmatched()) {
    lines.push_back(option + " '" + pattern +
                    "' matched no method that ran; patterns look like 'MyApp.*', 'MyApp.Cart.Add' or '[Assembly]'");
  }
  // Where patterns only take away, or there are none, it is user code that was meant.
  if (lines.empty() && !chose_any_.load(std::memory_order_relaxed)) {
    lines.push_back(option + " found no user code; what comes with .NET is chosen by name: " + option +
                    "='System.Net.*'");
  }
  return lines;
}

}  // namespace oriel::modules
