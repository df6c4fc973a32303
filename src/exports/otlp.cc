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
#include "exports/otlp_profiles.h"
#include "exports/text.h"
#include "otlp.pb.h"

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
  explicit Dictionary(otlp::ProfilesDictionary& out) : out_(out) {
    out_.add_mapping_table();
    out_.add_location_table();
    out_.add_function_table();
    out_.add_attribute_table();
    out_.add_stack_table();
    otlp::Link& link = *out_.add_link_table();
    link.set_trace_id(std::string(16, '\0'));
    link.set_span_id(std::string(8, '\0'));
    string("");
  }

  int32_t string(const std::string& text) {
    return add(strings_, text, out_.mutable_string_table(), [&](std::string& made) { made = text; });
  }

  int32_t attribute(const char* name, const std::string& text, int64_t number = 0) {
    const int32_t key = string(name);
    return add(attributes_, {key, text, number}, out_.mutable_attribute_table(), [&](otlp::KeyValueAndUnit& made) {
      made.set_key_strindex(key);
      if (text.empty())
        made.mutable_value()->set_int_value(number);
      else
        made.mutable_value()->set_string_value(text);
    });
  }

  int32_t mapping(const std::string& file, const std::string& build_id, uint64_t limit) {
    return add(mappings_, {file, build_id}, out_.mutable_mapping_table(), [&](otlp::Mapping& made) {
      made.set_filename_strindex(string(file));
      made.set_memory_limit(limit);
      if (!build_id.empty()) made.add_attribute_indices(attribute(kBuildId, build_id));
    });
  }

  int32_t function(int32_t name, int32_t system_name, int32_t file, int64_t line) {
    return add(functions_, {name, system_name, file, line}, out_.mutable_function_table(), [&](otlp::Function& made) {
      made.set_name_strindex(name);
      made.set_system_name_strindex(system_name);
      made.set_filename_strindex(file);
      made.set_start_line(line);
    });
  }

  // A location has one line: pprof's has no inlined functions where Oriel writes it.
  int32_t location(int32_t mapping, uint64_t address, int32_t function, int64_t line) {
    const auto fill = [&](otlp::Location& made) {
      made.set_mapping_index(mapping);
      made.set_address(address);
      otlp::Line& its = *made.add_lines();
      its.set_function_index(function);
      its.set_line(line);
    };
    return add(locations_, {mapping, address, function, line}, out_.mutable_location_table(), fill);
  }

  int32_t stack(const std::vector<int32_t>& locations) {
    return add(stacks_, locations, out_.mutable_stack_table(),
               [&](otlp::Stack& made) { made.mutable_location_indices()->Add(locations.begin(), locations.end()); });
  }

 private:
  // The index of an entry in its table, which is made and filled if it is new.
  template <typename Known, typename Table, typename Fill>
  static int32_t add(Known& known, const typename Known::key_type& key, Table* table, Fill fill) {
    const auto [entry, is_new] = known.try_emplace(key, table->size());
    if (is_new) fill(*table->Add());
    return entry->second;
  }

  otlp::ProfilesDictionary& out_;
  std::map<std::string, int32_t> strings_;
  std::map<std::tuple<int32_t, std::string, int64_t>, int32_t> attributes_;
  std::map<std::pair<std::string, std::string>, int32_t> mappings_;
  std::map<std::tuple<int32_t, int32_t, int32_t, int64_t>, int32_t> functions_;
  std::map<std::tuple<int32_t, uint64_t, int32_t, int64_t>, int32_t> locations_;
  std::map<std::vector<int32_t>, int32_t> stacks_;
};

// From the contents, so that a server knows a profile that it gets again.
std::string id_of(const pprof::Profile& profile, int type) {
  const std::string bytes = profile.SerializeAsString() + std::to_string(type);
  const auto hash = sha256({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return {hash.begin(), hash.begin() + 16};
}

// One profile of pprof, which may be several of OTLP: these have one value a sample.
class Conversion {
 public:
  Conversion(const pprof::Profile& from, Dictionary& dictionary) : from_(from), dictionary_(dictionary) {
    for (const pprof::Function& function : from.function())
      functions_.push_back(dictionary.function(string(function.name()), string(function.system_name()),
                                               string(function.filename()), function.start_line()));
    for (const pprof::Mapping& mapping : from.mapping())
      mappings_.push_back(
          dictionary.mapping(text(mapping.filename()), text(mapping.build_id()), mapping.memory_limit()));
    for (const pprof::Location& location : from.location()) locations_.push_back(location_of(location));
  }

  void write(otlp::ScopeProfiles& to) {
    // Of samples with a period the second value is the first one times the period.
    const int types = from_.period() > 0 ? 1 : from_.sample_type_size();
    for (int type = 0; type < types; ++type) {
      otlp::Profile& made = *to.add_profiles();
      describe(made, type);
      add_samples(made, type);
    }
  }

 private:
  const std::string& text(int64_t index) const { return from_.string_table(static_cast<int>(index)); }
  int32_t string(int64_t index) const { return dictionary_.string(text(index)); }

  // Ids of pprof count from 1 in the order of the tables; 0 is none.
  static int32_t by_id(const std::vector<int32_t>& made, uint64_t id) { return id == 0 ? 0 : made[id - 1]; }

  int32_t location_of(const pprof::Location& location) {
    const pprof::Line& line = location.line(0);
    return dictionary_.location(by_id(mappings_, location.mapping_id()), location.address(),
                                by_id(functions_, line.function_id()), line.line());
  }

  int32_t stack_of(const pprof::Sample& sample) {
    std::vector<int32_t> stack;
    for (const uint64_t id : sample.location_id()) stack.push_back(by_id(locations_, id));
    return dictionary_.stack(stack);
  }

  std::vector<int32_t> attributes_of(const pprof::Sample& sample) {
    std::vector<int32_t> attributes;
    for (const pprof::Label& label : sample.label()) {
      if (text(label.key()) == "thread") attributes.push_back(dictionary_.attribute(kThreadName, text(label.str())));
      if (text(label.key()) == "tid") attributes.push_back(dictionary_.attribute(kThreadId, "", label.num()));
    }
    return attributes;
  }

  void set_type(otlp::ValueType& to, const pprof::ValueType& type) const {
    to.set_type_strindex(string(type.type()));
    to.set_unit_strindex(string(type.unit()));
  }

  void describe(otlp::Profile& to, int type) const {
    set_type(*to.mutable_sample_type(), from_.sample_type(type));
    to.set_time_unix_nano(static_cast<uint64_t>(from_.time_nanos()));
    to.set_duration_nano(static_cast<uint64_t>(from_.duration_nanos()));
    if (from_.period() > 0) {
      set_type(*to.mutable_period_type(), from_.period_type());
      to.set_period(from_.period());
    }
    to.set_profile_id(id_of(from_, type));
  }

  // Each stack with the same attributes once: these identify a sample.
  void add_samples(otlp::Profile& to, int type) {
    std::map<std::vector<int32_t>, otlp::Sample*> known;
    for (const pprof::Sample& sample : from_.sample()) {
      const std::vector<int32_t> attributes = attributes_of(sample);
      std::vector<int32_t> identity = attributes;
      identity.push_back(stack_of(sample));
      otlp::Sample*& made = known[identity];
      if (made) {
        made->set_values(0, made->values(0) + sample.value(type));
        continue;
      }
      made = to.add_samples();
      made->set_stack_index(identity.back());
      made->mutable_attribute_indices()->Add(attributes.begin(), attributes.end());
      made->add_values(sample.value(type));
    }
  }

  const pprof::Profile& from_;
  Dictionary& dictionary_;
  // By their place in the profile of pprof.
  std::vector<int32_t> functions_, mappings_, locations_;
};

void add_attribute(otlp::Resource& to, const std::string& name, const std::string& value) {
  otlp::KeyValue& attribute = *to.add_attributes();
  attribute.set_key(name);
  attribute.mutable_value()->set_string_value(value);
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
  otlp::ExportProfilesServiceRequest request;
  otlp::ResourceProfiles& of_resource = *request.add_resource_profiles();
  for (const auto& [name, value] : resource) add_attribute(*of_resource.mutable_resource(), name, value);
  otlp::ScopeProfiles& scope = *of_resource.add_scope_profiles();
  scope.mutable_scope()->set_name("oriel");
  scope.mutable_scope()->set_version(version_text());
  Dictionary dictionary(*request.mutable_dictionary());
  for (const pprof::Profile& profile : profiles) Conversion(profile, dictionary).write(scope);
  std::string bytes;
  if (!request.SerializeToString(&bytes))
    return Status::error("the profile is too large for OTLP; take a part of it, by thread or time");
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
