// Names and ids: asked once, also by many; known before an unload; runtime ids used again get records of their own.
#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

using test::play;
using test::running_engine;

oriel_method* method_named(const std::string& name) {
  scripted::Thing* const thing = running_engine().world().find(scripted::Kind::kMethod, name);
  return thing ? scripted::method_of(*thing) : nullptr;
}

TEST(Names, AreAskedOfTheRuntimeOnDemand) {
  play(
      "assembly Shop\nimage Shop.dll assembly=Shop path=/app/Shop.dll\nclass Shop.Cart image=Shop.dll size=40\n"
      "method Add class=Shop.Cart");
  oriel_method* const method = method_named("Add");
  ASSERT_NE(method, nullptr);
  EXPECT_EQ(method->described.load(), Described::kNone);
  EXPECT_STREQ(oriel_method_name(method), "Shop.Cart.Add()");
  EXPECT_STREQ(oriel_method_short_name(method), "Add()");
  oriel_class* const klass = oriel_method_class(method);
  EXPECT_STREQ(oriel_class_name(klass), "Shop.Cart");
  EXPECT_EQ(oriel_class_instance_size(klass), 40u);
  EXPECT_STREQ(oriel_image_path(oriel_class_image(klass)), "/app/Shop.dll");
  EXPECT_EQ(oriel_method_image(method), oriel_class_image(klass));
  EXPECT_STREQ(oriel_assembly_name(oriel_image_assembly(oriel_class_image(klass))), "Shop");
  EXPECT_EQ(oriel_method_by_id(oriel_method_id(method)), method);
}

TEST(Names, OfNothingAreSaidInBrackets) {
  EXPECT_STREQ(oriel_method_name(nullptr), "[none]");
  EXPECT_STREQ(oriel_image_path(nullptr), "");
  EXPECT_EQ(oriel_method_class(nullptr), nullptr);
  EXPECT_EQ(oriel_method_image(nullptr), nullptr);
  EXPECT_EQ(oriel_class_id(nullptr), 0u);
  running_engine();
  oriel_method* const unknown = intern_method(0xdead000);
  EXPECT_EQ(std::string(oriel_method_name(unknown)).substr(0, 16), "[unnamed method ");
  oriel_domain* const gone = intern_domain(0xdead010);
  after_unload(gone);
  EXPECT_EQ(std::string(oriel_domain_name(gone)).substr(0, 17), "[unloaded domain ");
}

TEST(Names, ManyThreadsAskOneDescribes) {
  play(
      "assembly Many\nimage Many.dll assembly=Many\nclass Many.C image=Many.dll\n"
      "repeat 200\nmethod Many{i} class=Many.C\nend");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 200; ++i) {
        const std::string name = "Many" + std::to_string(i);
        EXPECT_EQ(std::string(oriel_method_name(method_named(name))), "Many.C." + name + "()");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Unload, FetchesNamesOfAnImagesClassesAndMethodsFirst) {
  play(
      "assembly Plug\nimage Plug.dll assembly=Plug\nclass Plug.A image=Plug.dll\nclass Plug.B image=Plug.dll\n"
      "method P1 class=Plug.A\nmethod P2 class=Plug.A\nmethod P3 class=Plug.B");
  oriel_method* const methods[] = {method_named("P1"), method_named("P2"), method_named("P3")};
  oriel_class* const klass = scripted::class_of_thing(*running_engine().world().find(scripted::Kind::kClass, "Plug.B"));
  const unsigned late = running_engine().late_questions();
  play("unload image Plug.dll");
  EXPECT_STREQ(oriel_method_name(methods[0]), "Plug.A.P1()");
  EXPECT_STREQ(oriel_method_name(methods[1]), "Plug.A.P2()");
  EXPECT_STREQ(oriel_method_name(methods[2]), "Plug.B.P3()");
  EXPECT_STREQ(oriel_class_name(klass), "Plug.B");
  EXPECT_EQ(running_engine().late_questions(), late);
}

TEST(Unload, RuntimeIdsUsedAgainGetNewRecords) {
  std::set<uint32_t> ids;
  for (int i = 0; i < 50; ++i) {
    const std::string n = std::to_string(i);
    play("assembly Reuse" + n + "\nimage Reuse" + n + ".dll assembly=Reuse" + n + "\nclass R" + n + ".C image=Reuse" +
         n + ".dll\nmethod Same" + n + " class=R" + n + ".C");
    oriel_method* const method = method_named("Same" + n);
    EXPECT_TRUE(ids.insert(oriel_method_id(method)).second);
    play("unload image Reuse" + n + ".dll\nunload assembly Reuse" + n);
    EXPECT_EQ(find_method(method->runtime_id), nullptr);
    EXPECT_EQ(std::string(oriel_method_name(method)), "R" + n + ".C.Same" + n + "()");
  }
}

TEST(Unload, ClassesKnownByTokenOnlyAreForgottenWithTheirImage) {
  running_engine();
  oriel_image* const image = intern_image(0xbeef000);
  oriel_class* const klass = intern_class(image, 0x02000007);
  EXPECT_EQ(intern_class(image, 0x02000007), klass);
  after_unload(image);
  EXPECT_TRUE(klass->unloaded);
  EXPECT_NE(intern_class(image, 0x02000007), klass);
}

// An array's class, a list of a type that goes: the runtime gives their ids to others once that type's image is gone.
TEST(Unload, WhatIsMadeOfAnImagesTypesGoesWithIt) {
  running_engine();
  oriel_image *const framework = intern_image(0xbeef100), *const plugin = intern_image(0xbeef200);
  oriel_class *const array = intern_class(0xcafe100), *const list = intern_class(0xcafe200, framework, 0x02000009);
  oriel_method* const add = intern_method(0xcafe300, framework, 0x06000009);
  oriel_class* const other = intern_class(0xcafe400, framework, 0x02000009);
  made_of(*array, *plugin);
  made_of(*list, *plugin);
  made_of(*list, *framework);
  made_of(*add, *plugin);
  before_unload(plugin);
  for (const Entity* thing : {static_cast<Entity*>(array), static_cast<Entity*>(list), static_cast<Entity*>(add)}) {
    EXPECT_EQ(thing->described.load(), Described::kKnown) << "later it cannot be asked for";
  }
  after_unload(plugin);
  EXPECT_EQ(find_class(0xcafe100), nullptr);
  EXPECT_EQ(find_class(0xcafe200), nullptr);
  EXPECT_EQ(find_method(0xcafe300), nullptr);
  EXPECT_EQ(find_class(0xcafe400), other);
  EXPECT_NE(intern_class(0xcafe200, framework, 0x02000009), list);
}

}  // namespace
}  // namespace oriel
