// The functions through which a runtime or Oriel loads the library, and through which plug-ins find it.
#include "oriel/com.h"
#include "oriel/oriel.h"
#include "plugins/entry_profiler.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

// {324F817A-7420-4E6D-B3C1-143FBED6D855}
constexpr Guid kClass = {0x324f817a, 0x7420, 0x4e6d, {0xb3, 0xc1, 0x14, 0x3f, 0xbe, 0xd6, 0xd8, 0x55}};

HResult create(const Guid& id, void** object) {
  static auto* front = new EntryProfiler;
  return front->query(id, object);
}

}  // namespace

extern "C" ORIEL_API HResult DllGetClassObject(const Guid& class_id, const Guid& interface_id, void** object) {
  static ClassFactory<create> factory;
  return class_id == kClass ? factory.QueryInterface(interface_id, object) : kClassNotAvailable;
}

// Never: plug-ins hold objects of the library.
extern "C" ORIEL_API HResult DllCanUnloadNow() { return kFalse; }

// Like IProfilerStringManager::FreeString, for callers without a manager.
extern "C" ORIEL_API HResult InstrumentationEngineFreeString(Bstr string) {
  free_bstr(string);
  return string == nullptr ? kFalse : kOk;
}

}  // namespace oriel::plugins
