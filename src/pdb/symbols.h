// The symbols of an image, in whatever file they are.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "pdb/mdb.h"
#include "pdb/pdb.h"

namespace oriel::pdb {

class Symbols {
 public:
  explicit Symbols(Pdb pdb) : file_(std::move(pdb)) {}
  explicit Symbols(Mdb mdb) : file_(std::move(mdb)) {}

  bool are_of_mono() const { return pdb() == nullptr; }
  // All as of Pdb; empty where only a PDB has it.
  size_t size() const {
    return std::visit([](const auto& file) { return file.size(); }, file_);
  }
  std::vector<SequencePoint> points(uint32_t method_row) const {
    return std::visit([=](const auto& file) { return file.points(method_row); }, file_);
  }
  uint32_t document_count() const {
    return std::visit([](const auto& file) { return file.document_count(); }, file_);
  }
  Document document(uint32_t row) const {
    return std::visit([=](const auto& file) { return file.document(row); }, file_);
  }
  std::optional<std::string> source(uint32_t document_row) const {
    return pdb() ? pdb()->source(document_row) : std::nullopt;
  }
  bool has_too_much_text() const { return pdb() && pdb()->has_too_much_text(); }
  std::map<uint32_t, uint32_t> state_machines() const {
    return pdb() ? pdb()->state_machines() : std::map<uint32_t, uint32_t>();
  }
  std::string source_link() const { return pdb() ? pdb()->source_link() : ""; }

 private:
  const Pdb* pdb() const { return std::get_if<Pdb>(&file_); }

  std::variant<Pdb, Mdb> file_;
};

}  // namespace oriel::pdb
