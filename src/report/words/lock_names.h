// What locks are called in the code that takes them, and where they are made: read from the images, where these are on
// this machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "assembly/locks.h"
#include "report/words/shown_place.h"

namespace oriel::report {

struct LockName {
  std::string name;              // "Shop.Till._gate"; "" if nothing tells
  std::string made_in;           // "Shop.Till..ctor"; "" if nothing tells
  ShownLine made_at;             // where in it
  bool is_made = false;          // there, and not only put into the field
  uint32_t more = 0;             // other places that fill the field
  std::optional<int32_t> count;  // that a semaphore is made with

  // "Shop.Till._gate", "this", "in the variable gate"; "" if nothing tells.
  std::string text() const;
  // "made in Shop.Till..ctor, Till.cs:12"; "" if nothing tells.
  std::string made_text() const;
};

class LockNames {
 public:
  // Both must live as long.
  LockNames(const profile::Profile& profile, ShownPlaces& places) : profile_(profile), places_(places) {}
  // Of the lock that own code takes itself at a node.
  LockName of(uint32_t node, assembly::LockKind kind);
  // Whether the stack up to a node goes through code that runs while it has a lock, and not one of another name. True
  // where the code is not on this machine.
  bool may_hold(uint32_t node, const LockName& lock);

 private:
  struct Image {
    std::optional<assembly::Assembly> code;
    std::map<uint32_t, assembly::FieldOrigin> origins;
    std::map<uint32_t, std::vector<assembly::HeldCode>> held;  // by method, of those that were asked for
  };
  Image& image(uint32_t number);
  const std::vector<assembly::HeldCode>& held_code(Image& image, uint32_t method);

  const profile::Profile& profile_;
  ShownPlaces& places_;
  std::map<uint32_t, Image> images_;
};

}  // namespace oriel::report
