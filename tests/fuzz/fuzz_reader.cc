// Any bytes through the reader's C interface: all of its functions, and what its tables say.
#include <cstdlib>
#include <cstring>

#include "oriel/log.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void look_at(const oriel_log_record& record) {
  for (uint32_t i = 0; i < record.description->count; ++i) {
    const oriel_log_value& value = record.values[i];
    if (std::strcmp(record.description->fields[i].kind, "text") == 0) require(std::strlen(value.text) == value.number);
    for (uint64_t item = 0; value.items != nullptr && item < value.number; ++item) look_at(value.items[item]);
  }
}

void look_at(const oriel_log_tables* tables) {
  for (size_t i = 0; const oriel_log_table* table = oriel_log_table_at(tables, i); ++i) {
    for (size_t row = 0; row < oriel_log_table_rows(table); ++row) {
      for (size_t column = 0; oriel_log_table_column(table, column) != nullptr; ++column) {
        oriel_log_cell cell{};
        oriel_log_table_cell(table, row, column, &cell);
        require(cell.type != oriel_log_type_text || std::strlen(cell.text) <= cell.length);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char message[200];
  oriel_log_sink sink{};
  sink.size = sizeof sink;
  sink.record = [](void*, const oriel_log_record* record) { look_at(*record); };
  sink.event = [](void*, const oriel_log_event* event) {
    require(oriel_log_describe_event(event->number)->count >= event->count);
  };
  if (oriel_log_decode_bytes(data, size, &sink, nullptr, message, sizeof message) != 0) {
    require(message[0] != '\0');
    return 0;
  }
  oriel_log_tables* const tables = oriel_log_tables_create(size, nullptr, 0);
  oriel_log_blocks* const blocks = oriel_log_blocks_in(data, size, nullptr, 0);
  oriel_log_decoder* const decoder = oriel_log_decoder_create(oriel_log_tables_sink(tables), nullptr, 0);
  while (const oriel_log_block* block = oriel_log_blocks_next(blocks, oriel_log_tables_sink(tables)))
    require(oriel_log_decoder_decode(decoder, block, nullptr, 0) == 0);
  require(oriel_log_blocks_ns(blocks, size) >= 0);
  require(oriel_log_tables_finish(tables, nullptr, 0) == 0);
  look_at(tables);
  oriel_log_decoder_destroy(decoder);
  oriel_log_blocks_close(blocks);
  oriel_log_tables_destroy(tables);
  return 0;
}
