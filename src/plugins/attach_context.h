// What a tool that attaches gave a plug-in on its way.
#pragma once

#include "oriel/plugins/method.h"
#include "plugins/configuration.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

class AttachContext final : public Object<IInstrumentationMethodAttachContext> {
 public:
  explicit AttachContext(Settings settings) : settings_(std::move(settings)) {}
  HResult EnumSettings(IEnumInstrumentationMethodSettings** all) override;

 private:
  const Settings settings_;
};

}  // namespace oriel::plugins
