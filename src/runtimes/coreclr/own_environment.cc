#include "runtimes/coreclr/own_environment.h"

#include <string>
#include <string_view>

#include "base/process/own_environment.h"
#include "base/text/utf16.h"

namespace oriel::coreclr {
namespace {

std::u16string name_of(std::string_view entry) { return utf16_of(entry.substr(0, entry.find('='))); }
std::u16string value_of(std::string_view entry) { return utf16_of(entry.substr(entry.find('=') + 1)); }

}  // namespace

void take_own_environment_out(IUnknown& info) {
  const EnvironmentChange change = oriel::take_own_environment_out();
  ComPtr<ProfilerInfo> runtime;
  if (failed(info.QueryInterface(kICorProfilerInfo11Id, reinterpret_cast<void**>(runtime.receive())))) return;
  for (const std::string_view entry : change.gone) runtime->SetEnvironmentVariable(name_of(entry).c_str(), nullptr);
  for (const std::string_view entry : change.back)
    runtime->SetEnvironmentVariable(name_of(entry).c_str(), value_of(entry).c_str());
}

}  // namespace oriel::coreclr
