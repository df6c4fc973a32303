// Names without metadata, such as those in signatures of the runtime's own stubs.
#include "runtimes/coreclr/names/module_metadata.h"

#include <gtest/gtest.h>

namespace oriel::coreclr {
namespace {

TEST(ModuleMetadata, HasNothingToTellWhereThereIsNone) {
  const ModuleMetadata metadata;
  EXPECT_FALSE(metadata.is_open());
  EXPECT_TRUE(metadata.type_path(0x02000002).names.empty());
  EXPECT_TRUE(metadata.type_path(0x01000001).names.empty());
  EXPECT_TRUE(metadata.type_spec(0x1b000001).empty());
}

}  // namespace
}  // namespace oriel::coreclr
