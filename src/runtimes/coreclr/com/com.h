// As much of COM as the runtime speaks with a profiler: results, interface ids, reference counts. Facts, no code of
// COM.
#pragma once

#include <cstdint>
#include <cstring>

namespace oriel::coreclr {

using HResult = int32_t;
using Bool = int32_t;

inline constexpr HResult kOk = 0;
inline constexpr HResult kFalse = 1;
inline constexpr HResult kNoInterface = static_cast<HResult>(0x80004002);
inline constexpr HResult kPointerError = static_cast<HResult>(0x80004003);
inline constexpr HResult kFail = static_cast<HResult>(0x80004005);
inline constexpr HResult kInvalidArgument = static_cast<HResult>(0x80070057);
inline constexpr HResult kNoAggregation = static_cast<HResult>(0x80040110);
inline constexpr HResult kClassNotAvailable = static_cast<HResult>(0x80040111);
// Answer of Initialize: this profiler does not want this process; the runtime says nothing and runs on.
inline constexpr HResult kNotAttachable = static_cast<HResult>(0x80131368);  // CORPROF_E_PROFILER_NOT_ATTACHABLE
inline constexpr HResult kCancelActivation = static_cast<HResult>(0x80131375);

inline bool succeeded(HResult result) { return result >= 0; }
inline bool failed(HResult result) { return result < 0; }

struct Guid {
  uint32_t data1;
  uint16_t data2;
  uint16_t data3;
  uint8_t data4[8];
};
static_assert(sizeof(Guid) == 16);

inline bool operator==(const Guid& a, const Guid& b) { return std::memcmp(&a, &b, sizeof(Guid)) == 0; }

// On Linux the runtime's vtables are those of the Itanium C++ ABI: a plain class with these first three slots.
struct IUnknown {
  virtual HResult QueryInterface(const Guid& id, void** object) = 0;
  virtual uint32_t AddRef() = 0;
  virtual uint32_t Release() = 0;

 protected:
  ~IUnknown() = default;
};

inline constexpr Guid kIUnknownId = {0x00000000, 0x0000, 0x0000, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};

struct IClassFactory : IUnknown {
  virtual HResult CreateInstance(IUnknown* outer, const Guid& id, void** object) = 0;
  virtual HResult LockServer(Bool lock) = 0;

 protected:
  ~IClassFactory() = default;
};

inline constexpr Guid kIClassFactoryId = {0x00000001, 0x0000, 0x0000, {0xc0, 0, 0, 0, 0, 0, 0, 0x46}};

// Owns one reference.
template <typename T>
class ComPtr {
 public:
  ComPtr() = default;
  explicit ComPtr(T* taken) : object_(taken) {}
  ComPtr(const ComPtr& other) : object_(other.object_) {
    if (object_) object_->AddRef();
  }
  ComPtr(ComPtr&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  ComPtr& operator=(ComPtr other) noexcept {
    T* mine = object_;
    object_ = other.object_;
    other.object_ = mine;
    return *this;
  }
  ~ComPtr() {
    if (object_) object_->Release();
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  // Where a function that returns a counted reference may put it; only of an empty one.
  T** receive() { return &object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace oriel::coreclr
