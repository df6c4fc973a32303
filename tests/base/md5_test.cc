#include "base/md5.h"

#include <gtest/gtest.h>

#include <string>

#include "base/text/hex.h"

namespace oriel {
namespace {

std::string md5_of(const std::string& text) {
  return hex(md5({reinterpret_cast<const uint8_t*>(text.data()), text.size()}));
}

// From RFC 1321, A.5.
TEST(Md5, IsThatOfTheStandard) {
  EXPECT_EQ(md5_of(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(md5_of("a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(md5_of("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(md5_of("12345678901234567890123456789012345678901234567890123456789012345678901234567890"),
            "57edf4a22be3c955ac49da2e2107b67a");
}

// As md5sum prints them: around the end of a chunk, and behind many.
TEST(Md5, OfTextsOfAnyLength) {
  EXPECT_EQ(md5_of(std::string(55, 'x')), "04364420e25c512fd958a70738aa8f72");
  EXPECT_EQ(md5_of(std::string(56, 'x')), "668a72d5ba17f08e62dabcafad6db14b");
  EXPECT_EQ(md5_of(std::string(64, 'x')), "c1bb4f81d892b2d57947682aeb252456");
  EXPECT_EQ(md5_of(std::string(100'000, 'x')), "d5816f35916d1d9482fb0f1ec201101d");
}

}  // namespace
}  // namespace oriel
