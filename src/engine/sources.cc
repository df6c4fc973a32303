// Source locations of code, from the symbols on this machine. They are read when its image is first asked about, on the
// asking thread and without a lock: two threads that ask at the same time may both read them.
#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/or_else.h"
#include "pdb/find.h"

namespace oriel {
namespace {

using pdb::SequencePoint;
using Points = std::vector<SequencePoint>;

constexpr uint64_t kMostBytes = uint64_t{256} << 20;  // they are held in the program's memory

struct ImageSources {
  std::optional<pdb::Symbols> symbols;  // nullopt: there are none
  // The points of the last method asked about: callers ask about many places in one method.
  std::mutex lock;  // the next two
  uint32_t row = 0;
  std::shared_ptr<const Points> points;
};
using KnownSources = std::shared_ptr<ImageSources>;

class SourcesOfImages {
 public:
  KnownSources of(oriel_image& image) {
    if (KnownSources known = find(image)) return known;
    auto made = std::make_shared<ImageSources>();
    pdb::Wanted its{oriel_image_pdb_id(&image), oriel_image_pdb_path(&image), oriel_image_path(&image)};
    if (pdb::has_mdb(its.image_path)) its.mvid = oriel_image_mvid(&image);
    made->symbols = pdb::find_symbols(its, pdb::symbol_folders(), kMostBytes);
    const std::lock_guard guard(lock_);
    // Unloaded images are seldom asked about again, and are then read again.
    std::erase_if(known_, [](const auto& item) { return item.first->unloaded.load(std::memory_order_acquire); });
    return known_.emplace(&image, std::move(made)).first->second;
  }

  // One copy of each path, for the life of the process.
  const char* lasting(std::string path) {
    const std::lock_guard guard(lock_);
    return paths_.insert(std::move(path)).first->c_str();
  }

 private:
  KnownSources find(oriel_image& image) {
    const std::lock_guard guard(lock_);
    const auto known = known_.find(&image);
    return known == known_.end() ? nullptr : known->second;
  }

  std::mutex lock_;
  std::unordered_map<oriel_image*, KnownSources> known_;
  std::set<std::string> paths_;
};

SourcesOfImages& sources_of_images() {
  static auto* const made = new SourcesOfImages;
  return *made;
}

std::shared_ptr<const Points> points_of(ImageSources& image, uint32_t row) {
  {
    const std::lock_guard guard(image.lock);
    if (image.row == row) return image.points;
  }
  auto points = std::make_shared<const Points>(image.symbols->points(row));
  const std::lock_guard guard(image.lock);
  image.row = row;
  return image.points = points;
}

bool has_line(const SequencePoint& point) { return point.line != 0; }

// The last point with a line up to the offset, or the method's first; nullptr if no point has a line.
const SequencePoint* statement_at(const Points& points, uint32_t il_offset) {
  const auto after = std::ranges::upper_bound(points, il_offset, {}, &SequencePoint::il);
  const auto before = std::find_if(std::make_reverse_iterator(after), points.rend(), has_line);
  if (before != points.rend()) return &*before;
  const auto first = std::ranges::find_if(points, has_line);
  return first == points.end() ? nullptr : &*first;
}

// Whether the offset belongs to a different point, which has no line.
bool is_hidden(const Points& points, uint32_t il_offset, const SequencePoint& statement) {
  const auto after = std::ranges::upper_bound(points, il_offset, {}, &SequencePoint::il);
  return after == points.begin() || &*std::prev(after) != &statement;
}

bool tell_source(oriel_method* method, uint32_t il_offset, oriel_source* source) {
  constexpr uint32_t kRowOfToken = 0x00ffffff;
  oriel_image* const image = method ? oriel_method_image(method) : nullptr;
  const uint32_t row = image ? oriel_method_token(method) & kRowOfToken : 0;
  if (row == 0 || source == nullptr) return false;
  const KnownSources known = sources_of_images().of(*image);
  if (!known->symbols) return false;
  const std::shared_ptr<const Points> points = points_of(*known, row);
  const SequencePoint* const statement = statement_at(*points, il_offset);
  if (statement == nullptr) return false;
  std::string file = known->symbols->document(statement->document).path;
  if (file.empty()) return false;
  *source = {sources_of_images().lasting(std::move(file)),
             statement->il,
             statement->line,
             statement->column,
             statement->end_line,
             statement->end_column,
             is_hidden(*points, il_offset, *statement)};
  return true;
}

}  // namespace
}  // namespace oriel

bool oriel_method_source(oriel_method* method, uint32_t il_offset, oriel_source* source) {
  return oriel::or_else(false, [&] { return oriel::tell_source(method, il_offset, source); });
}
