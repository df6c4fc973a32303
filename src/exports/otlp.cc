// pprof's messages as OTLP's: the same tables, shared by all profiles of a request.
#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "base/sha256.h"
#include "base/version.h"
#include "exports/export.h"
#include "exports/messages.h"
#include "exports/otlp_fields.h"
#include "exports/otlp_profiles.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

// The names of OpenTelemetry's semantic conventions.
constexpr const char* kServiceName = "service.name";
constexpr const char* kProcessId = "process.pid";
constexpr const char* kThreadName = "thread.name";
constexpr const char* kThreadId = "thread.id";
constexpr const char* kBuildId = "process.executable.build_id.gnu";

// Each entry once. Entry 0 of each table is empty.
class Dictionary {
 public:
  Dictionary() : out_(bytes_) {
    using F = otlp::Dictionary;
    for (const F table : {F::kMappingTable, F::kLocationTable, F::kFunctionTable, F::kAttributeTable, F::kStackTable})
      out_.add_message(table, std::string());
    protozero::pbf_builder<otlp::Link> link(out_, F::kLinkTable);
    link.add_bytes(otlp::Link::kTraceId, std::string(16, '\0'));
    link.add_bytes(otlp::Link::kSpanId, std::string(8, '\0'));
    link.commit();
    string("");
  }

  const std::string& bytes() const { return bytes_; }

  int64_t string(const std::string& text) {
    const auto [entry, is_new] = strings_.try_emplace(text, strings_.size());
    if (is_new) out_.add_string(otlp::Dictionary::kStringTable, text);
    return entry->second;
  }

  int64_t attribute(const char* name, const std::string& text, int64_t number = 0) {
    const int64_t key = string(name);
    return add<otlp::Attribute>(attributes_, {key, text, number}, otlp::Dictionary::kAttributeTable, [&](auto& made) {
      add_number(made, otlp::Attribute::kKey, key);
      protozero::pbf_builder<otlp::AnyValue> value(made, otlp::Attribute::kValue);
      if (text.empty())
        value.add_int64(otlp::AnyValue::kInt, number);
      else
        value.add_string(otlp::AnyValue::kString, text);
    });
  }

  int64_t mapping(const std::string& file, const std::string& build_id, uint64_t limit) {
    return add<otlp::Mapping>(mappings_, {file, build_id}, otlp::Dictionary::kMappingTable, [&](auto& made) {
      add_number(made, otlp::Mapping::kMemoryLimit, limit);
      add_number(made, otlp::Mapping::kFilename, string(file));
      if (build_id.empty()) return;
      const int64_t its = attribute(kBuildId, build_id);
      add_packed(made, otlp::Mapping::kAttributes, std::span(&its, 1));
    });
  }

  int64_t function(int64_t name, int64_t system_name, int64_t file, int64_t line) {
    using F = otlp::Function;
    return add<F>(functions_, {name, system_name, file, line}, otlp::Dictionary::kFunctionTable, [&](auto& made) {
      add_number(made, F::kName, name);
      add_number(made, F::kSystemName, system_name);
      add_number(made, F::kFilename, file);
      add_number(made, F::kStartLine, line);
    });
  }

  int64_t location(int64_t mapping, uint64_t address, int64_t function, int64_t line) {
    using F = otlp::Location;
    return add<F>(locations_, {mapping, address, function, line}, otlp::Dictionary::kLocationTable, [&](auto& made) {
      add_number(made, F::kMapping, mapping);
      add_number(made, F::kAddress, address);
      protozero::pbf_builder<otlp::Line> its(made, F::kLines);
      add_number(its, otlp::Line::kFunction, function);
      add_number(its, otlp::Line::kLine, line);
    });
  }

  int64_t stack(const std::vector<int64_t>& locations) {
    return add<otlp::Stack>(stacks_, locations, otlp::Dictionary::kStackTable,
                            [&](auto& made) { add_packed(made, otlp::Stack::kLocations, locations); });
  }

 private:
  // The index of an entry in its table, which is made and filled if it is new. What fills it may add to other tables.
  template <typename Field, typename Known, typename Fill>
  int64_t add(Known& known, const typename Known::key_type& key, otlp::Dictionary table, Fill fill) {
    const auto [entry, is_new] = known.try_emplace(key, known.size() + 1);
    if (is_new) {
      std::string message;
      protozero::pbf_builder<Field> made(message);
      fill(made);
      out_.add_message(table, message);
    }
    return entry->second;
  }

  std::string bytes_;
  protozero::pbf_builder<otlp::Dictionary> out_;
  std::map<std::string, int64_t> strings_;
  std::map<std::tuple<int64_t, std::string, int64_t>, int64_t> attributes_;
  std::map<std::pair<std::string, std::string>, int64_t> mappings_;
  std::map<std::tuple<int64_t, int64_t, int64_t, int64_t>, int64_t> functions_;
  std::map<std::tuple<int64_t, uint64_t, int64_t, int64_t>, int64_t> locations_;
  std::map<std::vector<int64_t>, int64_t> stacks_;
};

// From the contents, so that a server knows a profile that it gets again. `message` is the whole profile of pprof.
std::string id_of(const std::string& message, size_t type) {
  const std::string bytes = message + std::to_string(type);
  const auto hash = sha256({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return {hash.begin(), hash.begin() + 16};
}

// One profile of pprof, which may be several of OTLP: these have one value a sample.
class Conversion {
 public:
  Conversion(const pprof::Profile& from, Dictionary& dictionary) : from_(from), dictionary_(dictionary) {
    for (const pprof::Function& function : from.functions)
      functions_.push_back(dictionary.function(string(function.name), string(function.system_name),
                                               string(function.file), function.start_line));
    for (const pprof::Mapping& mapping : from.mappings)
      mappings_.push_back(
          dictionary.mapping(from.text(mapping.file), from.text(mapping.build_id), mapping.memory_limit));
    for (const pprof::Location& location : from.locations) locations_.push_back(location_of(location));
  }

  void write(protozero::pbf_builder<otlp::ScopeProfiles>& to) {
    // Of samples with a period the second value is the first one times the period.
    const size_t types = from_.period > 0 ? 1 : from_.sample_types.size();
    const std::string message = pprof_message(from_);
    for (size_t type = 0; type < types; ++type) {
      protozero::pbf_builder<otlp::Profile> made(to, otlp::ScopeProfiles::kProfiles);
      describe(made, type, id_of(message, type));
      add_samples(made, type);
    }
  }

 private:
  int64_t string(int64_t index) const { return dictionary_.string(from_.text(index)); }

  // Ids of pprof count from 1 in the order of the tables; 0 is none.
  static int64_t by_id(const std::vector<int64_t>& made, uint64_t id) { return id == 0 ? 0 : made[id - 1]; }

  int64_t location_of(const pprof::Location& location) {
    return dictionary_.location(by_id(mappings_, location.mapping), location.address,
                                by_id(functions_, location.function), location.line);
  }

  int64_t stack_of(const pprof::Sample& sample) {
    std::vector<int64_t> stack;
    for (const uint64_t id : sample.locations) stack.push_back(by_id(locations_, id));
    return dictionary_.stack(stack);
  }

  std::vector<int64_t> attributes_of(const pprof::Sample& sample) {
    std::vector<int64_t> attributes;
    for (const pprof::Label& label : sample.labels) {
      const std::string& key = from_.text(label.key);
      if (key == "thread") attributes.push_back(dictionary_.attribute(kThreadName, from_.text(label.text)));
      if (key == "tid") attributes.push_back(dictionary_.attribute(kThreadId, "", label.number));
    }
    return attributes;
  }

  void add_type(protozero::pbf_builder<otlp::Profile>& to, otlp::Profile field, const pprof::ValueType& type) const {
    protozero::pbf_builder<otlp::ValueType> made(to, field);
    add_number(made, otlp::ValueType::kType, string(type.type));
    add_number(made, otlp::ValueType::kUnit, string(type.unit));
  }

  void describe(protozero::pbf_builder<otlp::Profile>& to, size_t type, const std::string& id) const {
    using F = otlp::Profile;
    add_type(to, F::kSampleType, from_.sample_types[type]);
    to.add_fixed64(F::kTimeUnixNano, static_cast<uint64_t>(from_.time_nanos));
    add_number(to, F::kDurationNano, from_.duration_nanos);
    if (from_.period > 0) {
      add_type(to, F::kPeriodType, from_.period_type);
      add_number(to, F::kPeriod, from_.period);
    }
    to.add_bytes(F::kProfileId, id);
  }

  // Each stack with the same attributes once: these identify a sample.
  void add_samples(protozero::pbf_builder<otlp::Profile>& to, size_t type) {
    std::map<std::vector<int64_t>, int64_t> values;  // by attributes and stack
    for (const pprof::Sample& sample : from_.samples) {
      std::vector<int64_t> identity = attributes_of(sample);
      identity.push_back(stack_of(sample));
      values[identity] += sample.values[type];
    }
    for (const auto& [identity, value] : values) {
      protozero::pbf_builder<otlp::Sample> made(to, otlp::Profile::kSamples);
      add_number(made, otlp::Sample::kStack, identity.back());
      add_packed(made, otlp::Sample::kAttributes, std::span(identity).first(identity.size() - 1));
      add_packed(made, otlp::Sample::kValues, std::span(&value, 1));
    }
  }

  const pprof::Profile& from_;
  Dictionary& dictionary_;
  // By their place in the profile of pprof.
  std::vector<int64_t> functions_, mappings_, locations_;
};

std::string resource_message(std::span<const OtlpAttribute> resource) {
  std::string bytes;
  protozero::pbf_builder<otlp::Resource> to(bytes);
  for (const auto& [name, value] : resource) {
    protozero::pbf_builder<otlp::KeyValue> attribute(to, otlp::Resource::kAttributes);
    add_text(attribute, otlp::KeyValue::kKey, name);
    protozero::pbf_builder<otlp::AnyValue> its(attribute, otlp::KeyValue::kValue);
    its.add_string(otlp::AnyValue::kString, value);
  }
  return bytes;
}

std::string profiles_message(std::span<const pprof::Profile> profiles, Dictionary& dictionary) {
  std::string bytes;
  protozero::pbf_builder<otlp::ScopeProfiles> to(bytes);
  protozero::pbf_builder<otlp::Scope> scope(to, otlp::ScopeProfiles::kScope);
  scope.add_string(otlp::Scope::kName, "oriel");
  scope.add_string(otlp::Scope::kVersion, version_text());
  scope.commit();
  for (const pprof::Profile& profile : profiles) Conversion(profile, dictionary).write(to);
  return bytes;
}

// A profile is of one process, unless several logs are one.
Status write_otlp(const profile::Profile& profile, const Options&, std::ostream& out) {
  std::vector<OtlpAttribute> resource;
  if (profile.processes.size() == 1) {
    const profile::Process& process = profile.processes.front();
    if (!process.name.empty()) resource.emplace_back(kServiceName, process.name);
    if (process.pid != 0) resource.emplace_back(kProcessId, std::to_string(process.pid));
  }
  const Result<pprof::Profile> message = make_pprof(profile);
  if (!message) return message.status();
  const Result<std::string> packed = pack_otlp(resource, {&*message, 1});
  if (!packed) return packed.status();
  out.write(packed->data(), static_cast<std::streamsize>(packed->size()));
  return Status::ok();
}

}  // namespace

Result<std::string> pack_otlp(std::span<const OtlpAttribute> resource, std::span<const pprof::Profile> profiles) {
  Dictionary dictionary;
  const std::string made = profiles_message(profiles, dictionary), its = resource_message(resource);
  if (made.size() + its.size() + dictionary.bytes().size() > kMostOfMessage - 64)  // 64: what leads to them
    return Status::error("the profile is too large for OTLP; take a part of it, by thread or time");
  std::string bytes;
  protozero::pbf_builder<otlp::Request> request(bytes);
  protozero::pbf_builder<otlp::ResourceProfiles> of_resource(request, otlp::Request::kResourceProfiles);
  of_resource.add_message(otlp::ResourceProfiles::kResource, its);
  of_resource.add_message(otlp::ResourceProfiles::kScopeProfiles, made);
  of_resource.commit();
  request.add_message(otlp::Request::kDictionary, dictionary.bytes());
  return bytes;
}

extern const Export kOtlpExport = {
    .name = "otlp",
    .description = "OpenTelemetry's profiles as protobuf, the body that oriel push posts",
    .extension = ".otlp.pb",
    .binary = true,
    .write = write_otlp,
};

}  // namespace oriel::exports
