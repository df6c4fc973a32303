#include "log/index_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/files/input_file.h"
#include "base/files/open_file.h"
#include "log/encoder.h"
#include "log/field_reader.h"
#include "log/write_all.h"

namespace oriel::log {
namespace {

constexpr uint64_t kMagic = 0x5844'4e49'4c45'524f;  // "ORELINDX"
constexpr uint64_t kIndexVersion = 4;
constexpr size_t kHeadBytes = 2 * sizeof(uint64_t);  // the magic, and a hash of what follows
constexpr uint64_t kHashedBytes = 4096;              // of the log, at its beginning and at the index's end

// What tells that a log is the one that was indexed.
struct LogIdentity {
  uint64_t size = 0;
  uint64_t changed_ns = 0;
  uint64_t hash = 0;  // of its first bytes, and of the last ones that are in the index
  bool operator==(const LogIdentity&) const = default;
};

// nullopt if it cannot be read, or ends before `end`.
std::optional<LogIdentity> identity_of(const std::string& path, uint64_t end) {
  struct stat about {};
  const Result<InputFile> file = InputFile::open(path, UINT64_MAX);
  if (!file || stat(path.c_str(), &about) != 0) return std::nullopt;
  const uint64_t size = std::min(kHashedBytes, end);
  std::vector<uint8_t> bytes(2 * size);
  if (!file->read(0, bytes.data(), size) || !file->read(end - size, bytes.data() + size, size)) return std::nullopt;
  constexpr uint64_t kNsASecond = 1'000'000'000;
  const auto seconds = static_cast<uint64_t>(about.st_mtim.tv_sec);
  const auto ns = static_cast<uint64_t>(about.st_mtim.tv_nsec);
  return LogIdentity{file->size(), seconds * kNsASecond + ns, XXH64(bytes.data(), bytes.size(), 0)};
}

template <typename Codec, typename Piece>
void fields_of(Codec& codec, Piece& piece) {
  for (auto* value : {&piece.end, &piece.counters.from, &piece.counters.to, &piece.blocks, &piece.raw_bytes,
                      &piece.unpacked, &piece.rest_size})
    codec.integer("", *value, "");
}

void encode(const LogIdentity& log, const SampleIndex& index, ByteBuffer& out) {
  Encoder encoder(out);
  encoder.fixed64("", kMagic, "");
  encoder.fixed64("", 0, "");
  for (const uint64_t value : {kIndexVersion, log.size, log.changed_ns, log.hash, index.end()})
    encoder.integer("", value, "");
  for (const IndexPiece& piece : index.pieces) {
    fields_of(encoder, piece);
    encoder.integer("", piece.rest.size(), "");
    out.append(piece.rest.data(), piece.rest.size());
  }
  uint64_t hash = XXH64(out.data() + kHeadBytes, out.size() - kHeadBytes, 0);
  for (uint8_t* at = out.data() + sizeof kMagic; at != out.data() + kHeadBytes; hash >>= 8)
    *at++ = static_cast<uint8_t>(hash);
}

// False if that is no index. Its end is that of its last piece.
bool decode(Cursor in, LogIdentity& log, SampleIndex& index) {
  struct Nothing {
  } nothing;
  FieldReader<Nothing> reader(in, kVersion2, nothing);
  uint64_t magic = 0, hash = 0, version = 0, end = 0;
  reader.fixed64("", magic, "");
  reader.fixed64("", hash, "");
  if (!reader.ok() || magic != kMagic || XXH64(in.at, in.left(), 0) != hash) return false;
  for (uint64_t* value : {&version, &log.size, &log.changed_ns, &log.hash, &end}) reader.integer("", *value, "");
  if (!reader.ok() || version != kIndexVersion || end > log.size) return false;
  while (in.left() != 0) {
    IndexPiece piece;
    uint64_t bytes = 0;
    fields_of(reader, piece);
    reader.integer("", bytes, "");
    if (!reader.ok() || bytes > in.left() || piece.end <= index.end() || piece.end > end) return false;
    piece.rest.assign(in.at, in.at + bytes);
    in.at += bytes;
    index.pieces.push_back(std::move(piece));
  }
  return index.end() == end && end != 0;
}

// An index has at most a quarter of its log, and a little for each piece.
std::optional<uint64_t> most_bytes(const std::string& log_path) {
  struct stat log {};
  if (stat(log_path.c_str(), &log) != 0) return std::nullopt;
  return static_cast<uint64_t>(log.st_size) / 2 + (1u << 20);
}

// Whether whoever may have made the file may say what the log holds.
bool is_trusted(const std::string& path, const std::string& log_path) {
  struct stat file {
  }, log{};
  if (lstat(path.c_str(), &file) != 0 || stat(log_path.c_str(), &log) != 0) return false;
  return S_ISREG(file.st_mode) && (file.st_uid == geteuid() || file.st_uid == log.st_uid);
}

// Whether a new index may take that place: nothing is there, or an older index.
bool may_replace(const std::string& path) {
  struct stat place {};
  if (lstat(path.c_str(), &place) != 0) return errno == ENOENT;
  const Result<InputFile> old = InputFile::open(path, UINT64_MAX);
  uint64_t magic = 0;
  return S_ISREG(place.st_mode) && old && old->read(0, &magic, sizeof magic) && magic == kMagic;
}

// No value if there is none, or it is of another log, or so much was added to the log that a new one is better.
std::optional<SampleIndex> read_index(const std::string& path) {
  const std::string file = index_file_of(path);
  if (!is_trusted(file, path)) return std::nullopt;
  const std::optional<uint64_t> most = most_bytes(path);
  if (!most) return std::nullopt;
  const Result<std::vector<uint8_t>> bytes = read_input(file, *most);
  LogIdentity then;
  SampleIndex index;
  if (!bytes || !decode({bytes->data(), bytes->data() + bytes->size()}, then, index)) return std::nullopt;
  const std::optional<LogIdentity> now = identity_of(path, index.end());
  if (!now || now->hash != then.hash || now->size < then.size) return std::nullopt;
  if (now->size == then.size && now->changed_ns != then.changed_ns) return std::nullopt;
  const uint64_t more = now->size - index.end();
  if (more > index.end() / 4 && more > 2 * kIndexPiece) return std::nullopt;
  return index;
}

// A new file in the folder of `path`, which has no name yet where the file system can do so: a reader that is killed
// then leaves nothing. `name` is set to its name else.
OpenFile create_file(const std::string& path, std::string& name) {
  const size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  OpenFile file(open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (file.number() >= 0) return file;
  name = path + ".XXXXXX";
  return OpenFile(mkostemp(name.data(), O_CLOEXEC));
}

// Gives a file without a name one. A link cannot take the place of a file, so that it has another name for a moment.
bool name_file(int file, const std::string& path, std::string& name) {
  const std::string open_file = "/proc/self/fd/" + std::to_string(file);
  for (unsigned attempt = 0; name.empty() && attempt < 100; ++attempt) {
    const std::string free = path + "." + std::to_string(getpid()) + "-" + std::to_string(attempt);
    if (linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, free.c_str(), AT_SYMLINK_FOLLOW) == 0)
      name = free;
    else if (errno != EEXIST)
      return false;
  }
  return rename(name.c_str(), path.c_str()) == 0;
}

// Whole, or not at all.
void write_index(const std::string& path, const SampleIndex& index, const LogIdentity& log) {
  if (!may_replace(index_file_of(path))) return;
  ByteBuffer bytes;
  encode(log, index, bytes);
  std::string name;
  const OpenFile file = create_file(index_file_of(path), name);
  if (file.number() < 0) return;
  const bool is_written =
      write_all(file.number(), bytes.data(), bytes.size()) == 0 && name_file(file.number(), index_file_of(path), name);
  if (!is_written && !name.empty()) unlink(name.c_str());
}

// One of an earlier log of that name.
void remove_index(const std::string& path) {
  const std::string file = index_file_of(path);
  if (is_trusted(file, path) && may_replace(file)) unlink(file.c_str());
}

}  // namespace

std::string index_file_of(const std::string& log_path) { return log_path + ".index"; }

Result<SampleIndex> index_of_log(const std::string& path, const std::function<void(uint64_t, uint64_t)>& progress,
                                 const IndexHow& how) {
  if (std::optional<SampleIndex> index = read_index(path)) return std::move(*index);
  // What it was before: what is added meanwhile is not in the index.
  const std::optional<LogIdentity> before = identity_of(path, 0);
  Result<SampleIndex> made = make_sample_index(path, how.piece, progress);
  if (!made || !before) return made;
  if (made->end() < how.worth) {
    remove_index(path);
    return made;
  }
  if (std::optional<LogIdentity> log = identity_of(path, made->end())) {
    log->size = before->size;
    log->changed_ns = before->changed_ns;
    if (log->size >= made->end()) write_index(path, *made, *log);
  }
  return made;
}

}  // namespace oriel::log
