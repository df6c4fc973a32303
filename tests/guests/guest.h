// What the profilers of this folder share: references, ids, and the change that some make to a method's body.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "clr.h"

// The last byte of the class id. One library provides several profilers, so that the same one may be present twice.
using Number = uint8_t;

class Guest : public clr::Callback {
 public:
  explicit Guest(Number number) : number_(number) {}
  virtual ~Guest() = default;

  clr::HRESULT QueryInterface(const clr::GUID& id, void** object) override {
    *object = nullptr;
    for (const clr::GUID& known : clr::kCallbackIds) {
      if (!(id == known)) continue;
      AddRef();
      *object = static_cast<clr::Callback*>(this);
      return clr::S_OK;
    }
    return clr::E_NOINTERFACE;
  }
  uint32_t AddRef() override { return ++references_; }
  uint32_t Release() override { return --references_; }

  clr::HRESULT Initialize(clr::Unknown* runtime) override {
    const clr::HRESULT result = runtime->QueryInterface(clr::IID_Info10, reinterpret_cast<void**>(&info_));
    return result < 0 ? result : start();
  }
  clr::HRESULT InitializeForAttach(clr::Unknown* runtime, void*, uint32_t) override { return Initialize(runtime); }

 protected:
  virtual clr::HRESULT start() = 0;

  // A method and its body, as the runtime reports them.
  struct Found {
    clr::Id module = 0;
    clr::Token token = 0;
    const uint8_t* body = nullptr;
    uint32_t size = 0;  // 0: none
  };
  Found find(clr::Id function) {
    Found found;
    clr::Id klass = 0;
    if (info_->GetFunctionInfo(function, &klass, &found.module, &found.token) < 0 ||
        info_->GetILFunctionBody(found.module, found.token, &found.body, &found.size) < 0)
      found.size = 0;
    return found;
  }

  const Number number_;
  clr::Info* info_ = nullptr;

 private:
  std::atomic<uint32_t> references_{1};
};

// Defined by each library; NULL: it declines the process.
Guest* make_guest(Number number);

// Methods to be changed return a constant from here on: int Value() => 0x5EED0001.
constexpr uint32_t kMarked = 0x5EED0000;

// The body with `number` added to its result; empty if it is not a marked method. The body has a one-byte header,
// begins with the constant, and returns at its end, whoever else changed it.
inline std::vector<uint8_t> with_added(const uint8_t* body, uint32_t size, uint8_t number) {
  constexpr uint8_t kLoad = 0x20, kLoadShort = 0x1f, kAdd = 0x58, kReturn = 0x2a, kTiny = 2;
  const uint32_t code = body[0] >> 2;
  uint32_t constant = 0;
  if ((body[0] & 3) != kTiny || size < code + 1 || code < 6 || body[1] != kLoad) return {};
  std::memcpy(&constant, body + 2, sizeof constant);
  if ((constant & 0xffff0000) != kMarked || body[code] != kReturn) return {};
  std::vector<uint8_t> result(body, body + code);
  result.insert(result.end(), {kLoadShort, number, kAdd, kReturn});
  result[0] = static_cast<uint8_t>((result.size() - 1) << 2 | kTiny);
  return result;
}
