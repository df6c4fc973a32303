// A folder with what could not be delivered, until the next push: one file for each parcel, which only its owner may
// read. It holds no credentials. Several processes may use a folder at the same time. The format is described in
// docs/design/push.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "push/parcel.h"

namespace oriel::push {

class Spool {
 public:
  // Makes the folder if it is missing. Its files have `limit` bytes altogether at most. Errors name the folder and what
  // is wrong: it must be the user's own, and closed to changes by others.
  static Result<Spool> open(const std::string& folder, uint64_t limit);

  struct Dropped {
    size_t parcels = 0;
    uint64_t bytes = 0;
  };
  // Keeps the parcel. Older ones are dropped where there is no room, and told. An error if it cannot be written, or is
  // larger than the limit.
  Result<Dropped> keep(const Parcel& parcel) const;

  // What is to become of a parcel that was taken out.
  enum class Then { kRemove, kLeave, kStop };
  // Shows the parcels for this address to `take`, oldest first, each to one process at a time. kStop leaves it too, and
  // ends. Files that are damaged are removed; returns how many.
  size_t deliver(const std::string& url, const std::function<Then(const Parcel&)>& take) const;

 private:
  Spool(std::string folder, uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

  struct File {
    std::string path;
    uint64_t size = 0;
  };
  // Oldest first.
  std::vector<File> files() const;

  std::string folder_;
  uint64_t limit_;
};

namespace internal {
// A file's contents.
std::string text_of_parcel(const Parcel& parcel);
std::optional<Parcel> read_parcel(std::string_view text);
}  // namespace internal

}  // namespace oriel::push
