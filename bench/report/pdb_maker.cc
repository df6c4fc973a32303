#include "pdb_maker.h"

#include <cstdio>
#include <fstream>
#include <string_view>
#include <vector>

namespace oriel::bench {
namespace {

using Bytes = std::vector<uint8_t>;

template <typename T>
void put(Bytes& to, T value) {
  for (size_t i = 0; i < sizeof value; ++i) to.push_back(static_cast<uint8_t>(static_cast<uint64_t>(value) >> (8 * i)));
}

void put_text(Bytes& to, std::string_view text) {
  to.insert(to.end(), text.begin(), text.end());
  do to.push_back(0);
  while (to.size() % 4 != 0);
}

// ECMA-335 II.23.2.
void put_compressed(Bytes& to, uint32_t value) {
  if (value < 0x80) {
    to.push_back(static_cast<uint8_t>(value));
  } else if (value < 0x4000) {
    to.push_back(static_cast<uint8_t>(0x80 | value >> 8));
    to.push_back(static_cast<uint8_t>(value));
  } else {
    for (const int shift : {24, 16, 8, 0})
      to.push_back(static_cast<uint8_t>((shift == 24 ? 0xc0 : 0) | value >> shift));
  }
}

// Returns where the blob begins.
uint32_t put_blob(Bytes& blobs, const Bytes& bytes) {
  const auto at = static_cast<uint32_t>(blobs.size());
  put_compressed(blobs, static_cast<uint32_t>(bytes.size()));
  blobs.insert(blobs.end(), bytes.begin(), bytes.end());
  return at;
}

// Points of whole lines, each one line below the one before.
Bytes points_of(uint32_t first_line) {
  Bytes bytes;
  put_compressed(bytes, 0);  // the local variables' signature
  for (uint32_t i = 0; i < kPointsAMethod; ++i) {
    put_compressed(bytes, i == 0 ? 0 : kIlAPoint);
    put_compressed(bytes, 0);                              // ends on the same line
    put_compressed(bytes, 20);                             // columns
    put_compressed(bytes, i == 0 ? first_line : 1u << 1);  // the difference, with its sign behind
    put_compressed(bytes, i == 0 ? 5 : 0);
  }
  return bytes;
}

Bytes id_of(const std::string& digits) {
  Bytes id;
  for (size_t i = 0; i + 1 < digits.size(); i += 2)
    id.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  return id;
}

}  // namespace

Status make_pdb(const std::string& path, const std::string& id, uint32_t methods) {
  constexpr uint64_t kDocuments = uint64_t{1} << 0x30, kMethods = uint64_t{1} << 0x31;
  Bytes blobs = {0};
  const std::string_view source = "Generated.cs";
  const uint32_t part = put_blob(blobs, Bytes(source.begin(), source.end()));
  Bytes name = {'/'};
  put_compressed(name, 0);  // before the first separator there is nothing
  put_compressed(name, part);
  const uint32_t document = put_blob(blobs, name);

  Bytes tables;
  put<uint32_t>(tables, 0);
  tables.insert(tables.end(), {2, 0, 4, 1});  // version 2.0, blobs have wide indexes
  put(tables, kDocuments | kMethods);
  put<uint64_t>(tables, 0);
  put<uint32_t>(tables, 1);
  put(tables, methods);
  put(tables, document);
  put<uint16_t>(tables, 0);
  put<uint32_t>(tables, 0);
  put<uint16_t>(tables, 0);
  for (uint32_t i = 0; i < methods; ++i) {
    put<uint16_t>(tables, 1);
    put(tables, put_blob(blobs, points_of(1 + i * (kPointsAMethod + 2))));
  }

  Bytes pdb = id_of(id);
  put<uint32_t>(pdb, 0);
  put<uint64_t>(pdb, 0);

  Bytes head;
  put<uint32_t>(head, 0x424a5342);
  put<uint16_t>(head, 1);
  put<uint16_t>(head, 1);
  put<uint32_t>(head, 0);
  const std::string_view version = "PDB v1.0";
  put(head, static_cast<uint32_t>(12));
  put_text(head, version);
  put<uint16_t>(head, 0);
  put<uint16_t>(head, 3);
  const std::pair<std::string_view, const Bytes*> streams[] = {{"#Pdb", &pdb}, {"#~", &tables}, {"#Blob", &blobs}};
  auto at = static_cast<uint32_t>(head.size() + 16 + 12 + 16);
  for (const auto& [stream, bytes] : streams) {
    put(head, at);
    put(head, static_cast<uint32_t>(bytes->size()));
    put_text(head, stream);
    at += static_cast<uint32_t>(bytes->size());
  }

  std::ofstream file(path, std::ios::binary);
  for (const Bytes* bytes : {static_cast<const Bytes*>(&head), static_cast<const Bytes*>(&pdb),
                             static_cast<const Bytes*>(&tables), static_cast<const Bytes*>(&blobs)})
    file.write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  return file.flush() ? Status::ok() : Status::error("cannot write " + path);
}

}  // namespace oriel::bench
