// Reads a block of samples for a sink.
#pragma once

#include "log/field_reader.h"
#include "log/sample_blocks.h"

namespace oriel::log {

// Sets `head` as far as it is needed, and passes on what is valid of the samples; false if not all are.
inline bool read_samples(Cursor& in, uint64_t version, SamplesBlock& head, EventSink& sink) {
  UnpackSamples samples{sink, head};
  const bool is_whole = read_record<SamplesBlock, UnpackSamples&>(in, version, head, samples);
  samples.tell();
  return is_whole;
}

}  // namespace oriel::log
