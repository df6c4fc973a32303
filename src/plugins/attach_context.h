// The data that an attaching tool passes to a plug-in.
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
