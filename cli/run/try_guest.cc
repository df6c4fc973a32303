#include <dlfcn.h>
#include <fmt/format.h>

#include "base/process/foreign_library.h"
#include "run/guests.h"
#include "run/run_in_child.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::cli {
namespace {

using namespace coreclr;
using GetClassObject = HResult (*)(const Guid& class_id, const Guid& interface_id, void** object);

// What is wrong with it; "" if nothing.
std::string inspect(const GuestSpec& guest) {
  const Result<void*> library = load_foreign_library(guest.path);
  if (!library) return "it " + library.message();
  const auto get = reinterpret_cast<GetClassObject>(dlsym(*library, "DllGetClassObject"));
  if (get == nullptr) return guest.path + " does not export DllGetClassObject; is it a profiler?";
  Guid class_id{};
  parse_guid(guest.clsid.c_str(), class_id);
  void* factory = nullptr;
  const HResult result = get(class_id, kIClassFactoryId, &factory);
  // One that does not want this process may want the program's.
  if ((succeeded(result) && factory != nullptr) || result == kCancelActivation) return "";
  return fmt::format("{} has no such class (DllGetClassObject returned {})", guest.path, hresult_text(result));
}

}  // namespace

Status try_guest(const GuestSpec& guest) {
  constexpr std::chrono::seconds kPatience(10);
  if (guest.path.empty()) return Status::error("the path of its library is not given");
  return run_in_child([&] { return inspect(guest); }, kPatience);
}

}  // namespace oriel::cli
