// The fields of a Perfetto trace's messages, as far as Oriel writes them. A trace is a sequence of packets. Packets
// with the same sequence id share what InternedData has brought so far: others refer to it by iid, from 1.
#pragma once

#include <protozero/types.hpp>

namespace oriel::perfetto {

using Number = protozero::pbf_tag_type;

enum class Trace : Number { kPacket = 1 };
enum class Packet : Number {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kDefaults = 59,
  kTrackDescriptor = 60,
  kPerfSample = 66,
};
// Of kSequenceFlags.
constexpr uint32_t kStateCleared = 1;  // nothing is interned before this packet
constexpr uint32_t kNeedsState = 2;    // the packet refers to what is

enum class ClockSnapshot : Number { kClocks = 1, kPrimaryTraceClock = 2 };
enum class Clock : Number { kClockId = 1, kTimestamp = 2 };
// Of the packets of the sequence that do not say otherwise.
enum class Defaults : Number { kTimestampClockId = 58 };

enum class Track : Number { kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParentUuid = 5, kCounter = 8 };
enum class Process : Number { kPid = 1, kName = 6 };
enum class Thread : Number { kPid = 1, kTid = 2, kName = 5 };
enum class Counter : Number { kUnitName = 6 };

enum class Event : Number {
  kCategoryIids = 3,
  kDebugAnnotations = 4,
  kType = 9,
  kNameIid = 10,
  kTrackUuid = 11,
  kDoubleCounterValue = 44,
  kCallstackIid = 56,
};
// Of Event::kType.
enum class EventType : int32_t {
  kBegin = 1,
  kEnd = 2,  // of the innermost slice of the track
  kInstant = 3,
  kCounter = 4,
};
enum class Annotation : Number { kNameIid = 1, kBool = 2, kUint = 3, kString = 6 };

enum class Sample : Number {
  kPid = 2,
  kTid = 3,
  kCallstackIid = 4,
  kTimebaseCount = 6,  // what was counted until then: nanoseconds of all threads
};

enum class Interned : Number {
  kEventCategories = 1,
  kEventNames = 2,
  kAnnotationNames = 3,
  kFunctionNames = 5,
  kFrames = 6,
  kCallstacks = 7,
  kMappingPaths = 17,
  kSourcePaths = 18,
  kMappings = 19,
};
// Several messages of the format are alike.
enum class InternedName : Number { kIid = 1, kName = 2 };
enum class Mapping : Number { kIid = 1, kPathIds = 7 };
enum class Frame : Number {
  kIid = 1,
  kFunctionNameId = 2,
  kMappingId = 3,
  kRelPc = 4,
  kSourcePathIid = 5,
  kLineNumber = 6,
  kKind = 7,
};
// Of Frame::kKind.
enum class FrameKind : int32_t { kNative = 1, kJit = 4, kRuntime = 6 };
enum class Callstack : Number { kIid = 1, kFrameIds = 2 };  // frames: outermost first

}  // namespace oriel::perfetto
