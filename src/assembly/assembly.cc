#include "assembly/assembly.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/files/input_file.h"
#include "base/text/hex.h"

namespace oriel::assembly {
namespace {

constexpr int kMostNesting = 64;                    // of types; a longer chain means a damaged file
constexpr uint64_t kMostBytes = uint64_t{1} << 30;  // no assembly is larger
// Many rows may refer to one long text, and each gets a copy when it is read.
constexpr uint64_t kMostNames = 10, kNamesOfAny = 1'000'000;
constexpr size_t kLongestPath = 8192;     // of a type, including its outer ones
constexpr size_t kMostAttributes = 1000;  // of one thing

// Takes `bytes` from what is left, if there are enough.
bool spend(uint64_t bytes, uint64_t& left) {
  if (bytes > left) return false;
  left -= bytes;
  return true;
}

}  // namespace

Result<Assembly> Assembly::open(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return Status::error("it is not on this machine");
  Result<std::vector<uint8_t>> bytes = read_input(path, kMostBytes);
  if (!bytes) return Status::error("it cannot be read: " + bytes.message());
  return parse(std::move(*bytes));
}

Result<Assembly> Assembly::parse(std::vector<uint8_t> file) {
  Assembly assembly;
  assembly.file_ = std::move(file);
  Result<Image> image = read_image(assembly.file_);
  if (!image) return image.status();
  assembly.image_ = std::move(*image);
  Result<Metadata> metadata = Metadata::parse(assembly.image_.at(assembly.file_, assembly.image_.metadata_address));
  if (!metadata) return metadata.status();
  assembly.metadata_ = std::move(*metadata);
  uint64_t names_left = kMostNames * assembly.file_.size() + kNamesOfAny;
  if (!assembly.read_types(names_left) || !assembly.read_methods(names_left))
    return Status::error("it is damaged: its members share their names");
  assembly.read_attributes();
  assembly.read_accessors();
  return assembly;
}

bool Assembly::read_types(uint64_t& names_left) {
  for (uint32_t row = 1; row <= metadata_.rows(Table::kTypeDef); ++row) {
    types_.push_back({metadata_.string(Table::kTypeDef, row, 2), metadata_.string(Table::kTypeDef, row, 1), 0,
                      metadata_.cell(Table::kTypeDef, row, 0),
                      metadata_.owned(Table::kTypeDef, row, 5, Table::kMethodDef)});
    if (!spend(types_.back().name.size() + types_.back().name_space.size(), names_left)) return false;
  }
  std::vector<uint8_t> depth(types_.size());
  for (uint32_t row = 1; row <= metadata_.rows(Table::kNestedClass); ++row) {
    const uint32_t nested = metadata_.cell(Table::kNestedClass, row, 0);
    const uint32_t outer = metadata_.cell(Table::kNestedClass, row, 1);
    // Compilers put outer types first, which excludes cycles, and sort rows by the nested type.
    if (nested >= types_.size() || outer >= nested || depth[outer] == kMostNesting) continue;
    types_[nested].outer = outer;
    depth[nested] = static_cast<uint8_t>(depth[outer] + 1);
  }
  return true;
}

bool Assembly::read_methods(uint64_t& names_left) {
  constexpr uint32_t kNoIl = 3;  // native code, and methods that the runtime implements
  methods_.resize(size_t{metadata_.rows(Table::kMethodDef)} + 1);
  for (uint32_t row = 1; row < methods_.size(); ++row) {
    Method& method = methods_[row];
    method.address = metadata_.cell(Table::kMethodDef, row, 0);
    method.has_il = method.address != 0 && (metadata_.cell(Table::kMethodDef, row, 1) & kNoIl) == 0;
    method.flags = static_cast<uint16_t>(metadata_.cell(Table::kMethodDef, row, 2));
    method.name = metadata_.string(Table::kMethodDef, row, 3);
    if (!spend(method.name.size(), names_left)) return false;
  }
  // If types in a damaged file claim the same methods, each gets one owner, and reading stays proportional to the
  // tables.
  uint32_t next = 1;
  for (uint32_t type = 1; type < types_.size(); ++type) {
    Metadata::Range& range = types_[type].methods;
    range.begin = std::max(range.begin, next);
    range.end = std::max(range.begin, range.end);
    for (uint32_t row = range.begin; row < range.end; ++row) methods_[row].type = type;
    next = range.end;
  }
  return true;
}

void Assembly::read_attributes() {
  for (uint32_t row = 1; row <= metadata_.rows(Table::kCustomAttribute); ++row)
    attributes_.emplace_back(metadata_.token(Table::kCustomAttribute, row, 0), row);
  std::ranges::sort(attributes_);
  for (uint32_t row = 1; row <= metadata_.rows(Table::kGenericParam); ++row)
    parameters_.emplace_back(metadata_.token(Table::kGenericParam, row, 2), row);
  std::ranges::sort(parameters_);
}

void Assembly::read_accessors() {
  for (uint32_t row = 1; row <= metadata_.rows(Table::kMethodSemantics); ++row)
    accessors_.emplace_back(metadata_.cell(Table::kMethodSemantics, row, 1),
                            metadata_.token(Table::kMethodSemantics, row, 2));
  std::ranges::sort(accessors_);
}

std::vector<std::string> Assembly::references() const {
  std::vector<std::string> names;
  uint64_t bytes = 0;
  for (uint32_t row = 1; row <= metadata_.rows(Table::kAssemblyRef) && bytes < kNamesOfAny; ++row) {
    names.push_back(metadata_.string(Table::kAssemblyRef, row, 6));
    bytes += names.back().size();
  }
  return names;
}

std::string Assembly::mvid() const { return hex(metadata_.guid(Table::kModule, 1, 2)); }

std::optional<metadata::DebugDirectory> Assembly::debug_directory() const {
  const auto read = [this](uint64_t offset, void* to, size_t size) {
    if (offset > file_.size() || size > file_.size() - offset) return false;
    if (size != 0) std::memcpy(to, file_.data() + offset, size);
    return true;
  };
  return metadata::read_debug_directory(read, metadata::ImageLayout::kFile);
}

std::span<const uint8_t> Assembly::body(uint32_t row) const {
  const Method& found = method(row);
  return found.has_il ? image_.at(file_, found.address) : std::span<const uint8_t>();
}

uint32_t Assembly::attribute_type(uint32_t row) const {
  const uint32_t constructor = metadata_.token(Table::kCustomAttribute, row, 1);
  if (table_of(constructor) == Table::kMethodDef) return token_in(Table::kTypeDef, method(row_of(constructor)).type);
  return metadata_.token(Table::kMemberRef, row_of(constructor), 0);
}

std::vector<Attribute> Assembly::attributes(uint32_t token) const {
  std::vector<Attribute> found;
  auto entry = std::ranges::lower_bound(attributes_, std::pair(token, 0u));
  for (; entry != attributes_.end() && entry->first == token && found.size() < kMostAttributes; ++entry) {
    const uint32_t type = attribute_type(entry->second);
    found.push_back({full_name(type), type, metadata_.blob(Table::kCustomAttribute, entry->second, 2)});
  }
  return found;
}

uint32_t Assembly::accessed_by(uint32_t method_row) const {
  const auto entry = std::ranges::lower_bound(accessors_, std::pair(method_row, 0u));
  return entry != accessors_.end() && entry->first == method_row ? entry->second : 0;
}

metadata::TypePath Assembly::type_path(uint32_t token) const {
  metadata::TypePath path;
  size_t length = 0;
  for (int depth = 0; depth < kMostNesting && token != 0 && length < kLongestPath; ++depth) {
    const uint32_t row = row_of(token);
    if (table_of(token) == Table::kTypeDef) {
      const Type& found = type(row);
      path.names.insert(path.names.begin(), found.name);
      path.name_space = found.name_space;
      token = found.outer == 0 ? 0 : token_in(Table::kTypeDef, found.outer);
    } else if (table_of(token) == Table::kTypeRef) {
      path.names.insert(path.names.begin(), metadata_.string(Table::kTypeRef, row, 1));
      path.name_space = metadata_.string(Table::kTypeRef, row, 2);
      const uint32_t scope = metadata_.token(Table::kTypeRef, row, 0);
      token = table_of(scope) == Table::kTypeRef ? scope : 0;
    } else {
      break;
    }
    length += path.names.front().size();
  }
  return path;
}

std::string Assembly::full_name(uint32_t token) const {
  if (table_of(token) == Table::kTypeSpec) {
    const auto type = metadata::decode_type_signature(type_spec(token));
    return type && table_of(type->token) != Table::kTypeSpec ? full_name(type->token) : "";
  }
  const metadata::TypePath path = type_path(token);
  return path.names.empty() ? "" : metadata::type_text(path, {}, metadata::Style::kRaw);
}

std::vector<std::string> Assembly::generic_parameters(uint32_t token) const {
  std::vector<std::string> names;
  auto entry = std::ranges::lower_bound(parameters_, std::pair(token, 0u));
  for (; entry != parameters_.end() && entry->first == token; ++entry)
    names.push_back(metadata_.string(Table::kGenericParam, entry->second, 3));
  return names;
}

}  // namespace oriel::assembly
