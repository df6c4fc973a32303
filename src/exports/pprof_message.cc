// The fields of pprof's messages, as far as Oriel writes them.
#include "exports/gzip.h"
#include "exports/messages.h"
#include "exports/pprof_profile.h"

namespace oriel::exports {
namespace pprof_fields {

using Number = protozero::pbf_tag_type;
enum class Profile : Number {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14,
};
enum class ValueType : Number { kType = 1, kUnit = 2 };
enum class Sample : Number { kLocationId = 1, kValue = 2, kLabel = 3 };
enum class Label : Number { kKey = 1, kStr = 2, kNum = 3 };
enum class Mapping : Number { kId = 1, kMemoryLimit = 3, kFilename = 5, kBuildId = 6, kHasFunctions = 7 };
enum class Location : Number { kId = 1, kMappingId = 2, kAddress = 3, kLine = 4 };
enum class Line : Number { kFunctionId = 1, kLine = 2 };
enum class Function : Number { kId = 1, kName = 2, kSystemName = 3, kFilename = 4, kStartLine = 5 };

}  // namespace pprof_fields

namespace {

namespace fields = pprof_fields;

class PprofMessage {
 public:
  explicit PprofMessage(std::string& bytes) : out_(bytes) {}

  void write(const pprof::Profile& profile) {
    using F = fields::Profile;
    for (const pprof::ValueType& type : profile.sample_types) add(F::kSampleType, type);
    for (const pprof::Sample& sample : profile.samples) add(sample);
    for (const pprof::Mapping& mapping : profile.mappings) add(mapping);
    for (const pprof::Location& location : profile.locations) add(location);
    for (const pprof::Function& function : profile.functions) add(function);
    for (const std::string& text : profile.strings) out_.add_string(F::kStringTable, text);  // with the empty one
    add_number(out_, F::kTimeNanos, profile.time_nanos);
    add_number(out_, F::kDurationNanos, profile.duration_nanos);
    if (profile.period != 0) add(F::kPeriodType, profile.period_type);
    add_number(out_, F::kPeriod, profile.period);
    out_.add_packed_int64(F::kComment, profile.comments.begin(), profile.comments.end());
    add_number(out_, F::kDefaultSampleType, profile.default_sample_type);
  }

 private:
  template <typename Field>
  protozero::pbf_builder<Field> part(fields::Profile field) {
    return {out_, field};
  }

  void add(fields::Profile field, const pprof::ValueType& type) {
    auto to = part<fields::ValueType>(field);
    add_number(to, fields::ValueType::kType, type.type);
    add_number(to, fields::ValueType::kUnit, type.unit);
  }

  void add(const pprof::Sample& sample) {
    using F = fields::Sample;
    auto to = part<F>(fields::Profile::kSample);
    to.add_packed_uint64(F::kLocationId, sample.locations.begin(), sample.locations.end());
    to.add_packed_int64(F::kValue, sample.values.begin(), sample.values.end());
    for (const pprof::Label& label : sample.labels) {
      protozero::pbf_builder<fields::Label> its(to, F::kLabel);
      add_number(its, fields::Label::kKey, label.key);
      add_number(its, fields::Label::kStr, label.text);
      add_number(its, fields::Label::kNum, label.number);
    }
  }

  void add(const pprof::Mapping& mapping) {
    using F = fields::Mapping;
    auto to = part<F>(fields::Profile::kMapping);
    add_number(to, F::kId, mapping.id);
    add_number(to, F::kMemoryLimit, mapping.memory_limit);
    add_number(to, F::kFilename, mapping.file);
    add_number(to, F::kBuildId, mapping.build_id);
    add_number(to, F::kHasFunctions, uint64_t{mapping.has_functions});
  }

  void add(const pprof::Location& location) {
    using F = fields::Location;
    auto to = part<F>(fields::Profile::kLocation);
    add_number(to, F::kId, location.id);
    add_number(to, F::kMappingId, location.mapping);
    add_number(to, F::kAddress, location.address);
    protozero::pbf_builder<fields::Line> line(to, F::kLine);
    add_number(line, fields::Line::kFunctionId, location.function);
    add_number(line, fields::Line::kLine, location.line);
  }

  void add(const pprof::Function& function) {
    using F = fields::Function;
    auto to = part<F>(fields::Profile::kFunction);
    add_number(to, F::kId, function.id);
    add_number(to, F::kName, function.name);
    add_number(to, F::kSystemName, function.system_name);
    add_number(to, F::kFilename, function.file);
    add_number(to, F::kStartLine, function.start_line);
  }

  protozero::pbf_builder<fields::Profile> out_;
};

}  // namespace

std::string pprof_message(const pprof::Profile& profile) {
  std::string bytes;
  PprofMessage(bytes).write(profile);
  return bytes;
}

Result<std::string> pack_pprof(const pprof::Profile& profile) {
  const std::string bytes = pprof_message(profile);
  if (bytes.size() > kMostOfMessage)
    return Status::error("the profile is too large for the pprof format; export a part of it, by thread or time");
  return gzip(bytes);
}

}  // namespace oriel::exports
