// Processor of mapping blocks: resolves a log's ids. Undefined ids get a name that says so.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "log/format.h"
#include "profile/build/id_map.h"
#include "profile/profile.h"

namespace oriel::profile {

class Names {
 public:
  // In a single-file program, the native code of the executable counts as the runtime's: there is no other.
  void add(const log::Intro& intro);
  void add(const log::ImageName& image) { images_.at(image.id) = image; }
  void add(const log::ImageOrigin& origin);
  void add(const log::MethodDefinition& method) { definitions_.at(method.method) = method; }
  void add(const log::UnoptimizedImage& image) { unoptimized_.push_back(image.image); }
  void add(const log::MethodBox& box) { boxes_.push_back(box); }
  void add(const log::ImageSymbols& symbols) { symbols_.at(symbols.image) = symbols; }
  void add(const log::ClassName& klass) { classes_.at(klass.id) = klass; }
  void add(const log::MethodName& method) { methods_.at(method.id) = method; }
  void add(const log::LibraryName& library) { libraries_.at(library.id) = library; }
  void add(const log::LibraryBuild& build) { builds_[build.library] = build.build_id; }
  void add(const log::NativeAddress& address) { addresses_[address.native] = address.address; }
  void add(const log::NativeName& native) { natives_.at(native.id) = native; }
  void add(const log::ThreadName& thread) { threads_.at(thread.id) = thread; }

  // Call it when all names are known: looks up missing names of native functions in debug files on this machine.
  void find_symbols();

  // Managed and native functions with all their fields.
  Function method(uint64_t id) const;
  Function native(uint64_t id) const;
  // A class as an allocated type.
  Function type(uint64_t id) const;

  // The image id and row of a method's definition; image id 0 if the log does not say.
  log::MethodDefinition definition(uint64_t method) const;
  Image image(uint64_t id) const;
  // Link-time address of a native function, and its library's id and image. 0 if the log does not say.
  uint64_t address(uint64_t native) const;
  uint64_t library_of(uint64_t native) const;
  Image library(uint64_t id) const;
  // File names of images that are debug builds.
  std::set<std::string> unoptimized() const;
  const std::vector<log::MethodBox>& boxes() const { return boxes_; }

  // With its class: Shop.Cart.AddAsync(System.String, int).
  std::string method_name(uint64_t id) const;
  std::string native_name(uint64_t id) const;
  std::string class_name(uint64_t id) const;
  std::string image_name(uint64_t id) const;
  // Indexed by Function::origin.
  const std::vector<Origin>& origins() const { return origins_; }
  // nullptr if the log does not say.
  const log::ThreadName* thread(uint64_t id) const { return threads_.find(id); }

 private:
  std::string library_name(uint64_t id) const;  // file name; "" if there is none

  void take_image(const log::ClassName* klass, Function& function) const;

  std::string runtime_in_;  // file name; "" if the runtime is a separate library
  IdMap<log::ImageName> images_;
  IdMap<uint32_t> image_origins_;  // indexes into origins_
  std::vector<Origin> origins_ = {{}};
  std::map<std::pair<log::Origin, std::string>, uint32_t> known_origins_;
  IdMap<log::ClassName> classes_;
  IdMap<log::MethodName> methods_;
  IdMap<log::MethodDefinition> definitions_;
  IdMap<log::ImageSymbols> symbols_;
  std::vector<log::MethodBox> boxes_;
  std::vector<uint64_t> unoptimized_;  // image ids
  IdMap<log::LibraryName> libraries_;
  IdMap<log::NativeName> natives_;
  std::map<uint64_t, std::string> builds_;  // by library
  std::map<uint64_t, uint64_t> addresses_;  // link-time addresses by native function
  IdMap<log::ThreadName> threads_;
};

}  // namespace oriel::profile
