#include "plugins/attach_context.h"

#include "plugins/info/enumerator.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

class Setting final : public Object<IInstrumentationMethodSetting> {
 public:
  explicit Setting(const std::pair<std::string, std::string>& setting) : name_(setting.first), value_(setting.second) {}

  HResult GetName(Bstr* name) override { return give_text(name_, name); }
  HResult GetValue(Bstr* value) override { return give_text(value_, value); }

 private:
  static HResult give_text(const std::string& text, Bstr* out) {
    if (out == nullptr) return kPointerError;
    *out = make_bstr(text);
    return *out == nullptr ? kOutOfMemory : kOk;
  }

  const std::string name_, value_;
};

}  // namespace

HResult AttachContext::EnumSettings(IEnumInstrumentationMethodSettings** all) {
  if (all == nullptr) return kPointerError;
  std::vector<ComPtr<IInstrumentationMethodSetting>> list;
  for (const auto& setting : settings_)
    list.push_back(share<IInstrumentationMethodSetting>(make<Setting>(setting).get()));
  return give_list(std::move(list), all);
}

}  // namespace oriel::plugins
