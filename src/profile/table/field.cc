#include "profile/table/field.h"

namespace oriel::table {

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kTime:
    case Kind::kEnd:
      return "time, ns since the start of the log";
    case Kind::kLength:
    case Kind::kDuration:
      return "duration, ns";
    case Kind::kThread:
      return "thread: its name, and its OS id";
    case Kind::kProcess:
      return "process";
    case Kind::kFunction:
      return "function";
    case Kind::kType:
      return "type";
    case Kind::kNode:
      return "stack: its innermost function";
    case Kind::kCallNode:
      return "way of calls: its method, and its caller's row";
    case Kind::kRow:
      return "row, from 0";
    case Kind::kBytes:
      return "bytes";
    case Kind::kCount:
      return "count";
    case Kind::kNumber:
      return "number";
    case Kind::kFlag:
      return "flag";
    case Kind::kWord:
      return "word";
    case Kind::kText:
      return "text";
    case Kind::kTexts:
      return "list of texts";
    case Kind::kPoints:
      return "list of times, ns, and values";
    case Kind::kHits:
      return "counts of code, each as offset:count, or offset/outcome:count of a branch or switch";
  }
  return "";
}

}  // namespace oriel::table
