// The fields of OTLP's messages of profiles, as far as Oriel writes and reads them. The numbers are those of
// opentelemetry-proto v1.11.0 (profiles/v1development, collector/profiles/v1development, common/v1, resource/v1). An
// index is one of a table of the dictionary, whose entry 0 is empty and means none.
#pragma once

#include <protozero/types.hpp>

namespace oriel::otlp {

using Number = protozero::pbf_tag_type;

enum class Request : Number { kResourceProfiles = 1, kDictionary = 2 };
enum class Response : Number { kPartialSuccess = 1 };
enum class PartialSuccess : Number {
  kRejectedProfiles = 1,
  kErrorMessage = 2,  // may be a warning where none is rejected
};
enum class ResourceProfiles : Number { kResource = 1, kScopeProfiles = 2 };
enum class Resource : Number { kAttributes = 1 };
enum class ScopeProfiles : Number { kScope = 1, kProfiles = 2 };
enum class Scope : Number { kName = 1, kVersion = 2 };
enum class KeyValue : Number { kKey = 1, kValue = 2 };
enum class AnyValue : Number { kString = 1, kInt = 3 };

// What all profiles of a request refer to.
enum class Dictionary : Number {
  kMappingTable = 1,
  kLocationTable = 2,
  kFunctionTable = 3,
  kLinkTable = 4,
  kStringTable = 5,
  kAttributeTable = 6,
  kStackTable = 7,
};
enum class Mapping : Number { kMemoryLimit = 2, kFilename = 4, kAttributes = 5 };
enum class Location : Number { kMapping = 1, kAddress = 2, kLines = 3 };
enum class Line : Number { kFunction = 1, kLine = 2 };
enum class Function : Number { kName = 1, kSystemName = 2, kFilename = 3, kStartLine = 4 };
enum class Link : Number { kTraceId = 1, kSpanId = 2 };
enum class Attribute : Number { kKey = 1, kValue = 2 };
enum class Stack : Number { kLocations = 1 };

enum class Profile : Number {
  kSampleType = 1,
  kSamples = 2,
  kTimeUnixNano = 3,
  kDurationNano = 4,
  kPeriodType = 5,
  kPeriod = 6,
  kProfileId = 7,  // 16 bytes
};
enum class ValueType : Number { kType = 1, kUnit = 2 };
enum class Sample : Number { kStack = 1, kAttributes = 2, kValues = 4 };

}  // namespace oriel::otlp
