// Types shared by plug-ins and the engine. The interfaces in this folder are those of the CLR Instrumentation Engine,
// API version 7: with the same names, ids and slots, plug-ins written for one load into the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "oriel/com.h"

namespace oriel::plugins {

using namespace com;

// Zero-terminated UTF-16 text with its length in bytes before the first character. The receiver frees it with
// IProfilerStringManager::FreeString, or with InstrumentationEngineFreeString of libInstrumentationEngine.so.
using Bstr = char16_t*;

// CorElementType (ECMA-335 II.23.1.16).
using ElementType = int32_t;
// A metadata token (II.22).
using Token = uint32_t;

using AppDomainID = uintptr_t;
using AssemblyID = uintptr_t;
using ModuleID = uintptr_t;
using ClassID = uintptr_t;
using ObjectID = uintptr_t;
using FunctionID = uintptr_t;
using ReJITID = uintptr_t;

// An ordered sequence. Returned items are counted for the caller. For one thread at a time.
template <typename Self, typename Item>
struct Enumerator : IUnknown {
  // Up to `count` items; S_FALSE if there were fewer. `fetched` gets their number.
  virtual HResult Next(uint32_t count, Item** items, uint32_t* fetched) = 0;
  virtual HResult Skip(uint32_t count) = 0;
  virtual HResult Reset() = 0;
  virtual HResult Clone(Self** copy) = 0;
  virtual HResult GetCount(uint32_t* count) = 0;

 protected:
  ~Enumerator() = default;
};

}  // namespace oriel::plugins
