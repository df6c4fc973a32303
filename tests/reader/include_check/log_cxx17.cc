#include "oriel/log.hpp"

uint64_t generation_by_cxx17(const oriel::reader::events::gc_begin& gc);
uint64_t generation_by_cxx17(const oriel::reader::events::gc_begin& gc) { return gc.generation; }
