// Names without metadata, as of what is in the signatures of the runtime's own stubs.
#include "runtimes/coreclr/names/module_names.h"

#include <gtest/gtest.h>

namespace oriel::coreclr {
namespace {

TEST(ModuleNames, HaveNothingToTellWithoutMetadata) {
  const ModuleNames names{ComPtr<MetaDataImport>()};
  EXPECT_FALSE(names.is_open());
  EXPECT_TRUE(names.type_path(0x02000002).names.empty());
  EXPECT_TRUE(names.type_path(0x01000001).names.empty());
  EXPECT_TRUE(names.type_spec(0x1b000001).empty());
}

}  // namespace
}  // namespace oriel::coreclr
