// What the fields of a table's rows are, said once: what goes over all tables alike goes by it.
//
// A row is a plain struct with a static function described(), which returns a Table of its fields. Merging logs
// (table/renumber.h, table/add_up.h), filters (table/keep.h), CSV and JSON (report/words/cells.h) and docs/TABLES.md
// follow from that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace oriel::table {

enum class Kind : uint8_t {
  kTime,      // when it was, or began: nanoseconds since the start of the log; -1: before it
  kEnd,       // when it ended; -1: not before the log does
  kLength,    // nanoseconds that it lasted
  kDuration,  // nanoseconds of something else
  kThread,    // index into the profile's threads
  kProcess,   // into processes
  kFunction,  // into functions; 0: none
  kType,      // likewise, a class
  kNode,      // into nodes, which stands for a stack; 0: none
  kCallNode,  // into call_nodes, which stands for a way of logged calls; 0: none
  kRow,       // of another table; kNone: none
  kBytes,
  kCount,
  kNumber,  // neither: an address, a level
  kFlag,
  kWord,  // one of a few, by name
  kText,
  kTexts,
  kPoints,  // values over time: structs with `ns` and `value`
  kHits,    // of a method's code: which places ran, or how often
};
// "duration, ns"
const char* kind_name(Kind kind);

// Of fields that are an index: it is none. Where 0 can stand for none, it does.
inline constexpr uint32_t kNone = UINT32_MAX;

// A field. `Target`: of kRow, the rows of the other table.
template <Kind K, typename Row, typename Value, typename Target = void>
struct Field {
  static constexpr Kind kKind = K;
  using TargetRow = Target;

  const char* name;
  Value Row::*member;
  const char* help;
  bool chooses;        // whether rows are kept by it where a thread or a method is asked for
  bool is_key = true;  // of a table that is added up, and no sum: whether rows that differ in it are two

  auto& of(Row& row) const { return row.*member; }
  const auto& of(const Row& row) const { return row.*member; }
  // The same, and rows are, or are not, kept by it.
  constexpr Field choosing(bool is) const { return {name, member, help, is, is_key}; }
  // The same, and of rows that are added up the first one's stays; of texts the first that is not empty.
  constexpr Field beside_key() const { return {name, member, help, chooses, false}; }
};

// What a row tells without having it as a field: for people only. `get` returns a value of the kind, or an optional.
template <Kind K, typename Get>
struct Derived {
  static constexpr Kind kKind = K;
  const char* name;
  Get get;
  const char* help;
  auto of(const auto& row) const { return get(row); }
};

template <Kind K, typename Row, typename Value>
constexpr auto field(const char* name, Value Row::*member, const char* help) {
  constexpr bool kChooses = K == Kind::kThread || K == Kind::kFunction || K == Kind::kNode || K == Kind::kCallNode;
  return Field<K, Row, Value>{name, member, help, kChooses};
}
template <typename Target, typename Row>
constexpr auto row_of(const char* name, uint32_t Row::*member, const char* help) {
  return Field<Kind::kRow, Row, uint32_t, Target>{name, member, help, false};
}
template <Kind K, typename Get>
constexpr auto derived(const char* name, Get get, const char* help) {
  return Derived<K, Get>{name, get, help};
}

template <typename T>
inline constexpr bool kIsField = false;
template <Kind K, typename Row, typename Value, typename Target>
inline constexpr bool kIsField<Field<K, Row, Value, Target>> = true;

// How a table goes with others of its kind, and with a part of the log.
enum class Order : uint8_t {
  kAsTold,  // of several processes, each one's together
  kByTime,
  kByKey,       // by the fields that tell rows apart
  kMostFirst,   // by the first count
  kByCallNode,  // one for each call node, in their order
};
enum class Part : uint8_t {
  kRows,     // those that were in the part are kept
  kBlanked,  // the others stay, without their function: other tables refer to them
  kEmptied,  // the others stay, without what they count
  kWhole,    // all are, whatever part is asked for
  kSums,     // none are of a part of the time: they are sums of all of it
};

template <typename... Fields>
struct Table {
  Order order;
  Part part;
  std::tuple<Fields...> fields;
  bool adds_up = false;

  // The same, and rows of several logs that are the same but for what they count are one.
  constexpr Table added_up() const { return {order, part, fields, true}; }
};
template <typename... Fields>
constexpr Table<Fields...> describe(Order order, Part part, Fields... fields) {
  return {order, part, {fields...}, false};
}

// Where the rows of a table begin that are about something: the root of call nodes is on no thread, and calls nothing.
template <typename Row>
inline constexpr size_t kFirstRow = Row::described().order == Order::kByCallNode ? 1 : 0;

// Calls `visit` with each field of a kind of row, derived ones among them.
template <typename Row, typename Visit>
void each_field(Visit visit) {
  static constexpr auto kDescribed = Row::described();
  std::apply([&](const auto&... fields) { (visit(fields), ...); }, kDescribed.fields);
}
// Without the derived.
template <typename Row, typename Visit>
void each_stored_field(Visit visit) {
  each_field<Row>([&](const auto& field) {
    if constexpr (kIsField<std::remove_cvref_t<decltype(field)>>) visit(field);
  });
}

template <Kind K, typename... Fields>
constexpr bool has_stored(const Table<Fields...>&) {
  return ((kIsField<Fields> && Fields::kKind == K) || ...);
}
template <typename Row, Kind K>
inline constexpr bool kHasField = has_stored<K>(Row::described());

}  // namespace oriel::table
