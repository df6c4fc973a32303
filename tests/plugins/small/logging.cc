// Writes a line of each kind, with its number, when plugins.dll is loaded. If ORIEL_SMALL is its number, it is also the
// logging host and prints what it receives.
#include <cstdio>

#include "small.h"

namespace small {
namespace {

class Host final : public IProfilerManagerLoggingHost {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId || id == kId ? this : nullptr;
    return *object == nullptr ? kNoInterface : kOk;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  HResult LogMessage(const char16_t* text) override { return hear(text); }
  HResult LogError(const char16_t* text) override { return hear(text); }
  HResult LogDumpMessage(const char16_t* text) override { return hear(text); }

 private:
  static HResult hear(const char16_t* text) {
    std::string narrow;
    for (; *text != 0; ++text) narrow += static_cast<char>(*text);
    std::fprintf(stderr, "heard %s\n", narrow.c_str());
    return kOk;
  }
};

class Logging final : public Method {
 public:
  using Method::Method;

  HResult OnModuleLoaded(IModuleInfo* module) override {
    if (name_of(module) != "plugins.dll") return kOk;
    ComPtr<IProfilerManagerLogging> log;
    manager_->GetLoggingInstance(log.receive());
    log->LogMessage(line(u"message").c_str());
    log->LogError(line(u"error").c_str());
    log->LogDumpMessage(line(u"dump").c_str());
    return kOk;
  }

 private:
  HResult start() override {
    if (told() == std::to_string(number_)) manager_->SetLoggingHost(new Host);
    return kOk;
  }
  std::u16string line(const char16_t* kind) const {
    return std::u16string(kind) + u" of " + static_cast<char16_t>(u'0' + number_);
  }
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Logging(number); }

}  // namespace small
