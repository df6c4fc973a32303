// The part of COM that CoreCLR uses with a profiler, and a plug-in with its engine: results, interface ids, reference
// counts. On Linux an interface's vtable is that of the Itanium C++ ABI: a plain class whose virtual functions are
// declared in the order of its slots.
#pragma once

#include <cstdint>
#include <cstring>

namespace oriel::com {

using HResult = int32_t;
using Bool = int32_t;

inline constexpr HResult kOk = 0;
inline constexpr HResult kFalse = 1;
inline constexpr HResult kNotImplemented = static_cast<HResult>(0x80004001);
inline constexpr HResult kNoInterface = static_cast<HResult>(0x80004002);
inline constexpr HResult kPointerError = static_cast<HResult>(0x80004003);
inline constexpr HResult kFail = static_cast<HResult>(0x80004005);
inline constexpr HResult kUnexpected = static_cast<HResult>(0x8000ffff);
inline constexpr HResult kOutOfMemory = static_cast<HResult>(0x8007000e);
inline constexpr HResult kInvalidArgument = static_cast<HResult>(0x80070057);
inline constexpr HResult kNoAggregation = static_cast<HResult>(0x80040110);
inline constexpr HResult kClassNotAvailable = static_cast<HResult>(0x80040111);

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

// A library's class factory: `kCreate` makes an object and gives its interface `id`. Make it static: it has no members,
// and its reference count is of no consequence. Any thread.
template <HResult (*kCreate)(const Guid& id, void** object)>
class ClassFactory final : public IClassFactory {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    if (object == nullptr) return kPointerError;
    *object = id == kIUnknownId || id == kIClassFactoryId ? this : nullptr;
    return *object ? kOk : kNoInterface;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult CreateInstance(IUnknown* outer, const Guid& id, void** object) override {
    return outer != nullptr ? kNoAggregation : kCreate(id, object);
  }
  HResult LockServer(Bool) override { return kOk; }
};

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
  // Gives up the reference without releasing it.
  T* detach() {
    T* mine = object_;
    object_ = nullptr;
    return mine;
  }
  // Out parameter for functions that return a counted reference; only while empty.
  T** receive() { return &object_; }

 private:
  T* object_ = nullptr;
};

}  // namespace oriel::com
