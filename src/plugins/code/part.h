// Parts of a method's code, which share its reference count.
#pragma once

#include "plugins/info/data_items.h"

namespace oriel::plugins {

class Code;
uint32_t hold(Code& code);
uint32_t let_go(Code& code);

template <typename First, typename... More>
class Part : public First, public More..., public DataContainer {
 public:
  explicit Part(Code& code) : code_(&code) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  virtual ~Part() = default;

  HResult QueryInterface(const Guid& id, void** object) override {
    return answer_face(static_cast<First*>(this), face<First, More..., DataContainer>(this, id), object);
  }
  uint32_t AddRef() override { return hold(*code_); }
  uint32_t Release() override { return let_go(*code_); }

  Code& code() const { return *code_; }
  void move_to(Code& code) { code_ = &code; }

 private:
  Code* code_;
};

}  // namespace oriel::plugins
