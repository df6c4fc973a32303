// Names of managed methods as the runtime's events and other tools write them, into those that Oriel's logs have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace oriel::imports {

struct ManagedName {
  std::string klass;  // "Shop.Cart", "System.Collections.Generic.List<System.__Canon>"
  std::string name;   // "Add(string, int)"
  std::string raw_name;
};

// Of the type "Shop.Cart+<AddAsync>d__3", the method "MoveNext" and the signature "instance void  (class Shop.Item)";
// without one the parameters are not told.
ManagedName managed_name(std::string_view type, std::string_view method, std::string_view signature);

// A type alone.
std::string managed_type_name(std::string_view type);

// "Shop!Shop.Cart.Add(class Shop.Item)" and "float64 [Shop] Shop.Cart::Add(int32)[Optimized]", as dotnet-trace and the
// runtime's perf map write methods; nullopt for other texts.
struct ModuleMethod {
  std::string module;  // "Shop"
  ManagedName method;
};
std::optional<ModuleMethod> method_of_trace(std::string_view text);
std::optional<ModuleMethod> method_of_perf_map(std::string_view text);

// "Shop.Cart.Add(Item)", as Oriel's own exports write methods: up to the last dot of its name, and what follows.
std::optional<ManagedName> split_name(std::string_view text);

}  // namespace oriel::imports
