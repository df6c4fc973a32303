// What profilers keep with things: told of once each, when it is replaced, its thing goes, or the process ends.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "engine/running_engine.h"
#include "oriel/code.h"

namespace oriel {
namespace {

std::atomic<int> destroyed{0};
void destroy(oriel_profiler*, void* data) {
  ++destroyed;
  delete static_cast<std::string*>(data);
}
std::string* text(const char* what) { return new std::string(what); }

class DataItems : public testing::Test {
 protected:
  void SetUp() override { destroyed = 0; }
  oriel_profiler_handle one_ = oriel_profiler_create(nullptr), other_ = oriel_profiler_create(nullptr);
};

TEST_F(DataItems, AreEachProfilersAndKeysOwn) {
  oriel_image* const image = intern_image(0xda7a1);
  EXPECT_EQ(oriel_image_data(image, one_, 1), nullptr);
  EXPECT_TRUE(oriel_image_set_data(image, one_, 1, text("a"), destroy));
  EXPECT_TRUE(oriel_image_set_data(image, one_, 2, text("b"), destroy));
  EXPECT_TRUE(oriel_image_set_data(image, other_, 1, text("c"), destroy));
  EXPECT_EQ(*static_cast<std::string*>(oriel_image_data(image, one_, 1)), "a");
  EXPECT_EQ(*static_cast<std::string*>(oriel_image_data(image, one_, 2)), "b");
  EXPECT_EQ(*static_cast<std::string*>(oriel_image_data(image, other_, 1)), "c");
  EXPECT_EQ(oriel_image_data(image, other_, 2), nullptr);
  EXPECT_TRUE(oriel_image_set_data(image, one_, 1, text("d"), destroy));
  EXPECT_EQ(destroyed, 1);
  EXPECT_TRUE(oriel_image_set_data(image, one_, 1, nullptr, nullptr));
  EXPECT_EQ(destroyed, 2);
  EXPECT_EQ(oriel_image_data(image, one_, 1), nullptr);
  after_unload(image);
  EXPECT_EQ(destroyed, 4);
  EXPECT_EQ(oriel_image_data(image, one_, 2), nullptr);
  EXPECT_FALSE(oriel_image_set_data(image, one_, 1, image, nullptr)) << "the image is gone";
}

TEST_F(DataItems, GoWithTheirImage) {
  oriel_image* const image = intern_image(0xda7a2);
  oriel_method* const method = intern_method(0xda7a3, image, 0x06000001);
  EXPECT_TRUE(oriel_method_set_data(method, one_, 1, text("m"), destroy));
  after_unload(image);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(oriel_method_data(method, one_, 1), nullptr);
}

TEST_F(DataItems, OfAssembliesAndDomainsToo) {
  oriel_assembly* const assembly = intern_assembly(0xda7a4);
  oriel_domain* const domain = intern_domain(0xda7a5);
  EXPECT_TRUE(oriel_assembly_set_data(assembly, one_, 1, text("a"), destroy));
  EXPECT_TRUE(oriel_domain_set_data(domain, one_, 1, text("d"), destroy));
  after_unload(assembly);
  EXPECT_EQ(destroyed, 1);
  after_unload(domain);
  EXPECT_EQ(destroyed, 2);
}

TEST_F(DataItems, NothingIsKeptWithNothing) {
  EXPECT_FALSE(oriel_method_set_data(nullptr, one_, 1, this, nullptr));
  EXPECT_FALSE(oriel_image_set_data(intern_image(0xda7a6), nullptr, 1, this, nullptr));
  EXPECT_EQ(oriel_method_data(nullptr, one_, 1), nullptr);
}

// What a thread is told while others set and things go.
TEST_F(DataItems, EachIsToldOnceWhateverThreadsDo) {
  constexpr int kRounds = 300, kThreads = 3;
  std::atomic<int> set{0};
  for (int round = 0; round < kRounds; ++round) {
    oriel_image* const image = intern_image(0xda8000 + static_cast<uintptr_t>(round));
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int times = 0; times < 5; ++times) {
          std::string* const data = text("x");
          oriel_image_set_data(image, one_, 1, data, destroy) ? void(++set) : void(delete data);
          oriel_image_data(image, one_, 1);
        }
      });
    }
    after_unload(image);
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(destroyed, set);
}

}  // namespace
}  // namespace oriel
