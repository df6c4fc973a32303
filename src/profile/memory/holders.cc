#include "profile/memory/holders.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "profile/work/category.h"

namespace oriel::profile {
namespace {

// A method name's parts: "System.Collections.Generic.List<T>", "Add".
struct Name {
  std::string_view type;
  std::string_view member;
  std::string_view parameters;  // "T"
};

// Position of the last `wanted` outside of generic arguments; npos if there is none.
size_t last_outside(std::string_view text, char wanted) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == '>') ++depth;
    if (text[i] == '<') --depth;
    if (text[i] == wanted && depth == 0) return i;
  }
  return std::string_view::npos;
}

Name split_name(std::string_view function) {
  const size_t open = std::min(function.find('('), function.size());
  const std::string_view name = function.substr(0, open);
  std::string_view parameters = function.substr(std::min(open + 1, function.size()));
  if (parameters.ends_with(')')) parameters.remove_suffix(1);
  const size_t dot = last_outside(name, '.');
  if (dot == std::string_view::npos || dot == 0) return {"", name, parameters};
  return {name.substr(0, dot), name.substr(dot + 1), parameters};
}

bool is_collection(std::string_view type) {
  return type.starts_with("System.Collections.") || type.starts_with("Microsoft.Extensions.Caching.");
}

// Methods that add to a collection; some are inlined, so their callees are listed too.
constexpr std::string_view kAdding[] = {
    "Add",          "AddFirst", "AddIfNotPresent",  "AddLast",     "AddOrUpdate",    "AddRange",       "AddWithResize",
    "Enqueue",      "GetOrAdd", "GetOrCreate",      "Grow",        "Insert",         "InsertNode",     "Push",
    "Resize",       "Set",      "SetCapacity",      "SetEntry",    "TryAdd",         "TryAddInternal", "TryInsert",
    "set_Capacity", "set_Item", "GrowForInsertion", "CreateEntry", "PushWithResize", "EnqueueSlow"};

// Nested types that are collections' storage.
constexpr std::string_view kStorage[] = {".Entry[]", ".Node", ".Slot[]", ".VolatileNode[]"};

bool is_storage(std::string_view type) {
  return is_collection(type) &&
         std::ranges::any_of(kStorage, [&](std::string_view ending) { return type.ends_with(ending); });
}

bool adds(std::string_view member) { return std::ranges::find(kAdding, member) != std::end(kAdding); }

// The collection's name from its storage's type: for "…Dictionary<string, Cart>.Entry[]" the outer type; for "Cart[]"
// in a "…List<T>" "…List<Cart>".
std::string collection_name(std::string_view type, std::string_view storage) {
  const std::string_view plain = type.substr(0, type.find('<'));
  if (storage.starts_with(plain)) {
    const size_t dot = last_outside(storage, '.');
    if (dot != std::string_view::npos && dot > plain.size()) return std::string(storage.substr(0, dot));
    return std::string(plain);
  }
  if (type.ends_with("<T>") && storage.ends_with("[]"))
    return std::string(plain) + "<" + std::string(storage.substr(0, storage.size() - 2)) + ">";
  return std::string(plain);
}

constexpr std::string_view kAdd = "add_";

std::string event_name(const Name& adder) {
  return std::string(adder.type) + "." + std::string(adder.member.substr(kAdd.size()));
}

// A type allocated for each registration, and the method that own code calls for it.
struct Registration {
  ObjectHolder::Kind kind;
  std::string_view object;  // prefix of its type
  std::string_view ending;  // suffix of its type
  std::string_view by;      // prefix of the called method
};
constexpr Registration kRegistrations[] = {
    {ObjectHolder::Kind::kToken, "System.Threading.CancellationTokenSource.CallbackNode", "",
     "System.Threading.Cancellation"},
    {ObjectHolder::Kind::kTimer, "System.Threading.Timer", "", "System.Threading.Timer"},
    {ObjectHolder::Kind::kTimer, "System.Threading.Timer", "", "System.Threading.CancellationTokenSource."},
    {ObjectHolder::Kind::kTimer, "System.Threading.Timer", "", "System.Timers.Timer."},
    {ObjectHolder::Kind::kTimer, "System.Timers.Timer", "", "System.Timers.Timer."},
    {ObjectHolder::Kind::kDelay, "System.Threading.Timer", "", "System.Threading.Tasks.Task.Delay("},
    {ObjectHolder::Kind::kDelay, "System.Threading.Tasks.Task.DelayPromise", "", "System.Threading.Tasks.Task.Delay("},
    {ObjectHolder::Kind::kWeakMap, "System.Runtime.CompilerServices.ConditionalWeakTable<", ".Entry[]",
     "System.Runtime.CompilerServices.ConditionalWeakTable<"},
    {ObjectHolder::Kind::kContext, "System.Threading.AsyncLocalValueMap.", "", "System.Threading."},
    {ObjectHolder::Kind::kContext, "System.Collections.Generic.Dictionary<System.Threading.IAsyncLocal,", ".Entry[]",
     "System.Threading."},
};

class Finder {
 public:
  explicit Finder(const Profile& profile) : profile_(profile), own_(nearest_own_nodes(profile.nodes, profile)) {
    for (uint32_t node = 1; node < own_.size(); ++node) {
      const Name name = name_of(node);
      if (name.member.starts_with(kAdd))
        events_of_[function_of(own_[profile.nodes[node].parent])].insert({event_name(name), name.parameters});
    }
  }

  std::optional<ObjectHolder> of(const FollowedObject& object) const {
    if (object.node == 0) return std::nullopt;
    if (std::optional<ObjectHolder> event = event_of(object)) return event;
    if (std::optional<ObjectHolder> event = event_of_handler(object)) return event;
    if (std::optional<ObjectHolder> registration = registration_of(object)) return registration;
    return collection_of(object);
  }

 private:
  uint32_t function_of(uint32_t node) const { return profile_.nodes[node].function; }
  Name name_of(uint32_t node) const { return split_name(profile_.functions[function_of(node)].name); }

  // The event that the method adds handlers to, if other stacks show exactly one; else "".
  std::string only_event_of(uint32_t function, std::string_view handler = "") const {
    const auto events = events_of_.find(function);
    if (events == events_of_.end() || events->second.size() != 1) return "";
    const auto& [name, parameter] = *events->second.begin();
    return handler.ends_with(parameter) || handler.empty() ? name : "";
  }

  // For a handler allocated by own code that adds such handlers to one event.
  std::optional<ObjectHolder> event_of_handler(const FollowedObject& object) const {
    if (own_[object.node] != object.node) return std::nullopt;
    const std::string event = only_event_of(function_of(object.node), profile_.functions[object.type].name);
    if (event.empty()) return std::nullopt;
    return ObjectHolder{ObjectHolder::Kind::kEvent, event, object.node, object.bytes};
  }

  // For an event's invocation list, which Delegate.Combine allocates below the event's add_NAME; Combine takes its
  // place if add_NAME was inlined.
  std::optional<ObjectHolder> event_of(const FollowedObject& object) const {
    bool combines = false;
    for (uint32_t node = object.node; node != 0; node = profile_.nodes[node].parent) {
      const Name name = name_of(node);
      combines =
          combines || name.member == "CombineImpl" || (name.type == "System.Delegate" && name.member == "Combine");
      const bool is_add = name.member.starts_with(kAdd);
      if (combines && is_add)
        return ObjectHolder{ObjectHolder::Kind::kEvent, event_name(name), own_[profile_.nodes[node].parent],
                            object.bytes};
      if (own_[node] == node && !is_add)
        return combines ? std::optional(ObjectHolder{ObjectHolder::Kind::kEvent, only_event_of(function_of(node)), node,
                                                     object.bytes})
                        : std::nullopt;
    }
    return std::nullopt;
  }

  // The direct callee of own code on the path to a node; the node itself if own code allocates, because callees were
  // inlined.
  uint32_t called_by_own(uint32_t node) const {
    while (node != 0 && node != own_[node] && profile_.nodes[node].parent != own_[node])
      node = profile_.nodes[node].parent;
    return node;
  }

  // Only for direct registrations by own code: libraries may undo their own.
  std::optional<ObjectHolder> registration_of(const FollowedObject& object) const {
    const std::string_view type = profile_.functions[object.type].name;
    const uint32_t own = own_[object.node];
    if (own == 0) return std::nullopt;
    const uint32_t called = called_by_own(object.node);
    const std::string_view by = profile_.functions[function_of(called)].name;
    for (const Registration& one : kRegistrations)
      if (type.starts_with(one.object) && type.ends_with(one.ending) && (called == own || by.starts_with(one.by)))
        return ObjectHolder{one.kind, "", own, object.bytes};
    return std::nullopt;
  }

  std::optional<ObjectHolder> collection_of(const FollowedObject& object) const {
    const std::string_view type = profile_.functions[object.type].name;
    const uint32_t own = own_[object.node];
    if (own == 0) return std::nullopt;
    if (is_storage(type))
      return ObjectHolder{ObjectHolder::Kind::kCollection, std::string(type.substr(0, last_outside(type, '.'))), own,
                          object.bytes};
    if (own == object.node) return std::nullopt;
    const Name name = name_of(called_by_own(object.node));
    if (!is_collection(name.type) || !adds(name.member)) return std::nullopt;
    return ObjectHolder{ObjectHolder::Kind::kCollection, collection_name(name.type, type), own, object.bytes};
  }

  const Profile& profile_;
  const std::vector<uint32_t> own_;
  // By function: the events that stacks show it adding to, with their handler types.
  std::map<uint32_t, std::set<std::pair<std::string, std::string_view>>> events_of_;
};

uint64_t size_of(const FollowedObject& object) {
  return object.objects < 1 ? object.bytes : static_cast<uint64_t>(static_cast<double>(object.bytes) / object.objects);
}

}  // namespace

bool adds_to(const ObjectHolder& keeper, std::string_view type, std::string_view member) {
  // In IL "Dictionary`2<!0, !1>", here "Dictionary<string, Shop.Cart>".
  const auto plain = [](std::string_view name) { return name.substr(0, name.find_first_of("<`")); };
  switch (keeper.kind) {
    case ObjectHolder::Kind::kCollection:
      return plain(type) == plain(keeper.name) && adds(member);
    case ObjectHolder::Kind::kEvent:
      return type == "System.Delegate" && member == "Combine";
    case ObjectHolder::Kind::kToken:
      return type == "System.Threading.CancellationToken" && (member == "Register" || member == "UnsafeRegister");
    case ObjectHolder::Kind::kWeakMap:
      return plain(type) == "System.Runtime.CompilerServices.ConditionalWeakTable" &&
             (adds(member) || member == "GetValue" || member == "GetOrCreateValue");
    case ObjectHolder::Kind::kTimer:
    case ObjectHolder::Kind::kDelay:
    case ObjectHolder::Kind::kContext:
      return false;
  }
  return false;
}

std::vector<ObjectHolder> object_holders(const Profile& profile) {
  std::vector<ObjectHolder> all;
  if (profile.followed.empty()) return all;
  const Finder finder(profile);
  std::map<std::tuple<ObjectHolder::Kind, std::string, uint32_t, uint32_t>, ObjectHolder> sums;
  for (const FollowedObject& object : profile.followed) {
    if (object.full == 0) continue;  // may be garbage: no full collection since
    std::optional<ObjectHolder> keeper = finder.of(object);
    if (!keeper || keeper->own == 0) continue;
    const Node& node = profile.nodes[keeper->own];
    ObjectHolder& sum =
        sums.try_emplace({keeper->kind, keeper->name, node.function, node.position}, *keeper).first->second;
    if (sum.samples++ != 0) sum.bytes += keeper->bytes;
    sum.largest = std::max(sum.largest, size_of(object));
  }
  for (auto& [key, keeper] : sums) all.push_back(std::move(keeper));
  std::ranges::stable_sort(all, std::greater<>(), &ObjectHolder::bytes);
  return all;
}

std::vector<ObjectHolder> significant_holders(const Profile& profile) {
  constexpr uint64_t kLarge = 64 * 1024, kFew = 3, kPart = 200;
  uint64_t whole = 0;
  for (const FollowedObject& object : profile.followed)
    if (object.full > 0) whole += object.bytes;
  std::vector<ObjectHolder> all = object_holders(profile);
  std::erase_if(all, [&](const ObjectHolder& keeper) {
    return keeper.largest < kLarge && (keeper.samples < kFew || keeper.bytes < whole / kPart);
  });
  return all;
}

}  // namespace oriel::profile
