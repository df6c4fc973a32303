// The plug-in's output: a line for each call, with the result and the answers.
#pragma once

#include <string>
#include <type_traits>

#include "oriel/plugins/method.h"

namespace conformance {

using namespace oriel::plugins;

// Begins a part; lines are indented by the number of open parts.
class Part {
 public:
  explicit Part(const std::string& title);
  ~Part();
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
};

void write_line(const std::string& text);

// Text for the transcript. Strings are freed.
std::string shown(Bstr text);
std::string shown(const Guid& id);
std::string shown_bytes(const uint8_t* bytes, size_t size);
inline std::string shown(const std::string& text) { return text; }
template <typename T>
requires(std::is_enum_v<T> || std::is_integral_v<T>) std::string shown(T value) {
  return std::to_string(static_cast<int64_t>(value));
}
// Addresses and the runtime's ids, which differ from run to run.
struct Id {
  uintptr_t value;
};
inline std::string shown(Id id) { return id.value == 0 ? "null" : "some"; }
template <typename T>
std::string shown(T* pointer) {
  return pointer == nullptr ? "null" : "some";
}
template <typename T>
std::string shown(const ComPtr<T>& pointer) {
  return shown(pointer.get());
}
// As many bytes as a slot reports, but at most `most`.
struct Bytes {
  const uint8_t* bytes;
  const uint32_t& size;
  uint32_t most;
};
inline std::string shown(const Bytes& bytes) {
  return shown_bytes(bytes.bytes, bytes.size < bytes.most ? bytes.size : bytes.most);
}

std::string result_name(HResult result);

// "IMethodInfo.GetName 0x00000000 Main". Answers are written only if there are some. They are read after the call in
// the second argument, so pass variables.
template <typename... Answers>
void tell(const char* slot, HResult result, const Answers&... answers) {
  std::string line = std::string(slot) + " " + result_name(result);
  if (succeeded(result)) ((line += " " + shown(answers)), ...);
  write_line(line);
}

// Which of the interfaces that an object may have it has.
struct Face {
  const char* name;
  Guid id;
};
void tell_faces(const char* of, IUnknown* object);

// Calls a slot with one out parameter.
template <typename T, typename Owner, typename Answer>
requires std::is_base_of_v<Owner, T>
void ask(const char* slot, T* object, HResult (Owner::*member)(Answer*)) {
  Answer answer{};
  const HResult result = (object->*member)(&answer);
  tell(slot, result, answer);
}
// The same for an interface, which is returned.
template <typename T, typename Owner, typename Answer>
requires std::is_base_of_v<Owner, T> ComPtr<Answer> get(const char* slot, T* object,
                                                        HResult (Owner::*member)(Answer**)) {
  ComPtr<Answer> answer;
  const HResult result = (object->*member)(answer.receive());
  tell(slot, result, answer);
  return answer;
}

template <typename Interface>
ComPtr<Interface> query(IUnknown* object) {
  ComPtr<Interface> found;
  if (object != nullptr) object->QueryInterface(Interface::kId, reinterpret_cast<void**>(found.receive()));
  return found;
}

// The same for the runtime's ids.
template <typename T, typename Owner>
requires std::is_base_of_v<Owner, T>
void ask_id(const char* slot, T* object, HResult (Owner::*member)(uintptr_t*)) {
  uintptr_t answer = 0;
  const HResult result = (object->*member)(&answer);
  tell(slot, result, Id{answer});
}

// Calls all slots of an enumerator; `each` is called with its items.
template <typename Self, typename Item, typename Each>
void tell_all(const char* name, Enumerator<Self, Item>* all, Each each) {
  if (all == nullptr) return;
  const Part part(name);
  ask("GetCount", all, &Enumerator<Self, Item>::GetCount);
  tell("Reset", all->Reset());
  ComPtr<Self> copy;
  tell("Clone", all->Clone(copy.receive()), copy);
  uint32_t count = 0;
  for (;;) {
    Item* item = nullptr;
    uint32_t fetched = 0;
    const HResult result = all->Next(1, &item, &fetched);
    tell("Next", result, fetched);
    const ComPtr<Item> held(item);
    if (failed(result) || fetched == 0 || ++count > 500) break;
    each(item);
  }
  tell("Skip", all->Skip(1));
  if (!copy) return;
  Item* items[3] = {};
  uint32_t fetched = 0;
  const HResult result = copy->Next(3, items, &fetched);
  tell("Next of three", result, fetched);
  for (Item* item : items)
    if (item != nullptr) item->Release();
}

}  // namespace conformance
