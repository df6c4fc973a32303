#include "il/trivial.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "il/decode.h"

namespace oriel::il {
namespace {

// A body with a tiny header (ECMA-335 II.25.4.2).
bool trivial(std::initializer_list<uint8_t> code, MethodKind kind = MethodKind::kOrdinary) {
  std::vector<uint8_t> bytes = {static_cast<uint8_t>(code.size() << 2 | 2)};
  bytes.insert(bytes.end(), code);
  const Result<Body> body = decode(bytes);
  EXPECT_TRUE(body) << body.message();
  return body && is_trivial(*body, kind);
}

TEST(Trivial, GettersSettersConstantsAndNothing) {
  EXPECT_TRUE(trivial({0x2A}));                                      // ret
  EXPECT_TRUE(trivial({0x02, 0x7B, 1, 0, 0, 4, 0x2A}));              // ldarg.0 ldfld ret
  EXPECT_TRUE(trivial({0x02, 0x03, 0x7D, 1, 0, 0, 4, 0x2A}));        // ldarg.0 ldarg.1 stfld ret
  EXPECT_TRUE(trivial({0x1F, 42, 0x2A}));                            // ldc.i4.s 42 ret
  EXPECT_TRUE(trivial({0x72, 1, 0, 0, 0x70, 0x2A}));                 // ldstr ret
  EXPECT_TRUE(trivial({0x7E, 1, 0, 0, 4, 0x7B, 2, 0, 0, 4, 0x2A}));  // ldsfld ldfld ret
}

TEST(Trivial, AsADebugBuildWritesThem) {
  EXPECT_TRUE(trivial({0x00, 0x02, 0x7B, 1, 0, 0, 4, 0x0A, 0x2B, 0, 0x06, 0x2A}));  // nop … stloc.0 br.s ldloc.0 ret
  EXPECT_TRUE(trivial({0x00, 0x02, 0x03, 0x7D, 1, 0, 0, 4, 0x00, 0x2A}));
}

TEST(Trivial, ForwardersWithinTheModule) {
  EXPECT_TRUE(trivial({0x02, 0x03, 0x28, 1, 0, 0, 6, 0x2A}));                     // call of a MethodDef
  EXPECT_TRUE(trivial({0x02, 0x7B, 1, 0, 0, 4, 0x03, 0x6F, 1, 0, 0, 6, 0x2A}));   // field.Method(argument)
  EXPECT_FALSE(trivial({0x02, 0x28, 1, 0, 0, 0x0A, 0x2A}));                       // another module's may take any time
  EXPECT_FALSE(trivial({0x28, 1, 0, 0, 6, 0x26, 0x28, 2, 0, 0, 6, 0x2A}));        // two calls
  EXPECT_FALSE(trivial({0x02, 0x02, 0x28, 1, 0, 0, 6, 0x7D, 1, 0, 0, 4, 0x2A}));  // field = Method()
}

TEST(Trivial, ConstructorsThatOnlyStoreAndCallTheirBase) {
  const std::initializer_list<uint8_t> code = {0x02, 0x28, 1,    0,    0,    0x0A, 0x02, 0x03, 0x7D, 1,   0,
                                               0,    4,    0x02, 0x04, 0x7D, 2,    0,    0,    4,    0x2A};
  EXPECT_FALSE(trivial(code));
  EXPECT_TRUE(trivial(code, MethodKind::kConstructor));
}

TEST(Trivial, NothingThatComputesBranchesOrAllocates) {
  EXPECT_FALSE(trivial({0x02, 0x03, 0x58, 0x2A}));     // add
  EXPECT_FALSE(trivial({0x02, 0x2D, 1, 0x2A, 0x2A}));  // brtrue.s
  EXPECT_FALSE(trivial({0x73, 1, 0, 0, 6, 0x2A}));     // newobj
  EXPECT_FALSE(trivial({0x2B, 0xFE}));                 // a loop
  EXPECT_FALSE(trivial({0x14, 0x7A}));                 // ldnull throw
}

}  // namespace
}  // namespace oriel::il
