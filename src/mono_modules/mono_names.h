// Mono's names of classes and methods, made of those that the metadata has as Oriel writes them (oriel_class_raw_name,
// oriel_method_raw_name). Pure functions; any text is allowed.
#pragma once

#include <string>
#include <string_view>

namespace oriel::mono_modules {

// "List`1[]" of "System.Collections.Generic.List`1[System.Int32][]", "Inner" of "Shop.Outer+Inner".
std::string own_class_name(std::string_view raw);
// "System.Collections.Generic" of that; "" of a nested class, as in the metadata.
std::string_view class_namespace(std::string_view raw);

// "System.Collections.Generic.List`1<int>[]", "Shop.Outer/Inner", "int&": as mono_type_full_name.
std::string mono_type(std::string_view raw);

// A method in its own name and as mono_method_full_name has it.
struct MethodNames {
  std::string own;              // "My.IFoo<int>.Get"
  std::string full;             // "Shop.Box`1<int>:Turn<long>"
  std::string with_parameters;  // "Shop.Box`1<int>:Turn<long> (long,string&)"
};
// `raw`: as in oriel_method_raw_name; `klass`: of its class, "" for a dynamic method.
MethodNames method_names(std::string_view raw, std::string_view klass);

}  // namespace oriel::mono_modules
