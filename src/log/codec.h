// How records are laid out in the file: a codec visits a record's fields in the file's order. Encoder (encoder.h)
// writes them, FieldReader (field_reader.h) reads them, and a test prints them as the tables of docs/FORMAT.md. A codec
// has
//
//   byte, integer, fixed64, string  (name, value, doc, kind)  one field; its kind (event.h) is plain if not given
//   record(name, value, doc)                                  a record within a record
//   since(version, visit)                                     fields that only files of that version on have
//   list(name, items, ending, doc, kind)                      items up to an ending that no item can begin with; the
//                                                             kind is that of items that are ids
//   when(present, condition, visit)                           fields that are there if a field before them says so
//   added(visit)                                              fields of later writers, behind the last field of a block
//
// One that visits whole events blocks, as the test does, also has stream(name, doc) for their events (event_stream.h).
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace oriel::log {

// What ends a list: INT 0, which is the byte 0x80, or an empty STRING, which is the byte 0x00.
enum class Ending : uint8_t { kInt0 = 0x80, kEmptyString = 0x00 };

// Records are visited to write and to read them.
template <typename R, typename T>
concept Like = std::same_as<std::remove_const_t<R>, T>;

}  // namespace oriel::log
