// Reference-counted objects that implement the plug-in interfaces.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "base/process/foreign_call.h"
#include "oriel/com.h"

namespace oriel::plugins {

using namespace com;

// Whether `id` is that of the interface or of one that it extends.
template <typename Interface>
constexpr bool is_id_of(const Guid& id) {
  if (id == Interface::kId) return true;
  if constexpr (requires { typename Interface::Base; }) return is_id_of<typename Interface::Base>(id);
  return false;
}

// The interface of `object` with this id; null if there is none. The first interface is the object's identity.
template <typename First, typename... More, typename T>
void* face(T* object, const Guid& id) {
  if (id == kIUnknownId || is_id_of<First>(id)) return static_cast<First*>(object);
  void* found = nullptr;
  ((found = found == nullptr && is_id_of<More>(id) ? static_cast<More*>(object) : found), ...);
  return found;
}

// QueryInterface's result for an interface that was looked up; adds a reference.
inline HResult answer_face(IUnknown* object, void* found, void** out) {
  if (out == nullptr) return kInvalidArgument;
  *out = found;
  if (found == nullptr) return kNoInterface;
  object->AddRef();
  return kOk;
}

// Created by make<>() with one reference; the last Release deletes it. Counting is thread-safe.
template <typename First, typename... More>
class Object : public First, public More... {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;

  HResult QueryInterface(const Guid& id, void** object) override {
    return answer_face(static_cast<First*>(this), face<First, More...>(this, id), object);
  }
  uint32_t AddRef() override { return references_.fetch_add(1, std::memory_order_relaxed) + 1; }
  uint32_t Release() override {
    const uint32_t left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (left == 0) delete this;
    return left;
  }

 private:
  std::atomic<uint32_t> references_{1};
};

template <typename T, typename... Arguments>
ComPtr<T> make(Arguments&&... arguments) {
  return ComPtr<T>(new T(std::forward<Arguments>(arguments)...));
}

// Adds a reference and owns it.
template <typename T>
ComPtr<T> share(T* object) {
  if (object != nullptr) object->AddRef();
  return ComPtr<T>(object);
}

// The implementation of getters with one result.
template <typename T>
HResult answer(T value, T* out) {
  if (out == nullptr) return kPointerError;
  *out = value;
  return kOk;
}
inline HResult answer_bool(bool value, Bool* out) { return answer<Bool>(value ? 1 : 0, out); }

// Passes a reference to the caller.
template <typename Interface, typename T>
HResult give(ComPtr<T> object, Interface** out) {
  *out = object.get();
  if (*out != nullptr) (*out)->AddRef();
  return kOk;
}

template <typename Interface>
ComPtr<Interface> query(IUnknown* object) {
  ComPtr<Interface> found;
  if (object == nullptr) return {};
  const HResult result = foreign_call(
      [object, to = found.receive()] { return object->QueryInterface(Interface::kId, reinterpret_cast<void**>(to)); });
  return succeeded(result) ? found : ComPtr<Interface>{};
}

}  // namespace oriel::plugins
