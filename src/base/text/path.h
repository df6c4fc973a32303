// The last component of a path.
#pragma once

#include <string>
#include <string_view>

namespace oriel {

// Of a path on this machine: "Shop.dll" of "/app/Shop.dll". All of it without a slash.
inline std::string file_name(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

// Of a path that a compiler wrote down, on Windows perhaps: "Cart.cs" of "C:\src\Cart.cs" and of "/src/Cart.cs".
inline std::string recorded_file_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of("/\\") + 1));
}

}  // namespace oriel
