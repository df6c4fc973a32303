// The union of all event masks, and when the runtime's mask is set.
#include "plugins/event_masks.h"

#include <gtest/gtest.h>

#include "plugins/info/module_info.h"
#include "runtime.h"

namespace oriel::plugins {
namespace {

constexpr uint32_t kOwn = EventMasks::kNeeded.low;
constexpr int kOne = 1, kOther = 2;

TEST(EventMasks, AreOfAllTogetherAndTheRuntimeHearsThemOnce) {
  Runtime runtime;
  EventMasks masks(runtime.interface());
  masks.begin(EventMasks::Phase::kStarting);
  EXPECT_EQ(masks.add(&kOne, {coreclr::kMonitorExceptions, 0}), com::kOk);
  EXPECT_EQ(masks.add(&kOne, {coreclr::kMonitorThreads, 0}), com::kOk);
  EXPECT_EQ(masks.set(&kOther, {coreclr::kMonitorGc, coreclr::kHighBasicGc}), com::kOk);
  EXPECT_EQ(runtime.masks, 0);
  EXPECT_EQ(masks.run(), com::kOk);
  EXPECT_EQ(runtime.mask_low, kOwn | coreclr::kMonitorExceptions | coreclr::kMonitorThreads | coreclr::kMonitorGc);
  EXPECT_EQ(runtime.mask_high, coreclr::kHighBasicGc);
}

TEST(EventMasks, WhatOneAskedForGoesWithIt) {
  Runtime runtime;
  EventMasks masks(runtime.interface());
  masks.begin(EventMasks::Phase::kStarting);
  masks.add(&kOne, {coreclr::kMonitorExceptions, 0});
  masks.add(&kOther, {coreclr::kMonitorThreads | coreclr::kEnableFrameInfo, 0});
  masks.run();
  masks.set(&kOne, {coreclr::kMonitorClassLoads, 0});
  EXPECT_EQ(runtime.mask_low,
            kOwn | coreclr::kMonitorClassLoads | coreclr::kMonitorThreads | coreclr::kEnableFrameInfo);
  masks.remove(&kOther);  // except for what holds until the process ends
  EXPECT_EQ(runtime.mask_low, kOwn | coreclr::kMonitorClassLoads | coreclr::kEnableFrameInfo);
}

TEST(EventMasks, WhatMustBeKnownBeforeIsRefusedLater) {
  Runtime runtime;
  EventMasks masks(runtime.interface());
  masks.begin(EventMasks::Phase::kStarting);
  masks.run();
  EXPECT_EQ(masks.add(&kOne, {coreclr::kEnableFrameInfo, 0}), com::kFail);
  EXPECT_EQ(masks.add(&kOne, {0, coreclr::kHighDisableTieredCompilation}), com::kFail);
  EXPECT_EQ(masks.add(&kOne, {coreclr::kMonitorThreads, 0}), com::kOk);
  EXPECT_EQ(runtime.mask_low, kOwn | coreclr::kMonitorThreads);
}

TEST(EventMasks, WhoComesLateIsRefusedAsByTheRuntime) {
  Runtime runtime;
  EventMasks masks(runtime.interface());
  masks.begin(EventMasks::Phase::kAttaching);
  EXPECT_EQ(masks.add(&kOne, {coreclr::kMonitorEnterLeave, 0}), coreclr::kNotWhenAttached);
  EXPECT_EQ(masks.add(&kOne, {coreclr::kMonitorThreads, coreclr::kHighMonitorEventPipe}), com::kOk);
  EXPECT_EQ(masks.run(), com::kOk);
  EXPECT_EQ(masks.add(&kOne, {coreclr::kMonitorCcw, 0}), coreclr::kNotWhenAttached);
}

TEST(Module, MetadataIsOpenedWhenItIsAskedForAndNotBefore) {
  Runtime runtime;
  const ComPtr<ModuleInfo> module = make<ModuleInfo>(runtime.interface(), ModuleID{1});
  Bstr path = nullptr;
  Bool value = 0;
  ModuleID id = 0;
  EXPECT_EQ(module->GetFullPath(&path), kOk);
  EXPECT_EQ(module->GetIsDynamic(&value), kOk);
  EXPECT_EQ(module->GetModuleID(&id), kOk);
  EXPECT_EQ(runtime.opened, 0);
  Guid mvid{};
  EXPECT_EQ(module->GetMVID(&mvid), kFail);
  EXPECT_EQ(runtime.opened, 1);
}

}  // namespace
}  // namespace oriel::plugins
