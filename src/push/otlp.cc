// pprof's messages as OTLP's: the same tables, shared by all profiles of a request.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/sha256.h"
#include "base/version.h"
#include "exports/gzip.h"
#include "otlp.pb.h"
#include "push/parcel.h"

namespace oriel::push {
namespace {

// The names of OpenTelemetry's semantic conventions.
constexpr const char* kServiceNameKey = "service.name";
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
    return add(strings_, text, [&] { out_.add_string_table(text); });
  }

  int32_t attribute(const char* name, const std::string& text, int64_t number = 0) {
    const int32_t key = string(name);
    return add(
        attributes_, {key, text, number},
        [&] {
          otlp::KeyValueAndUnit& made = *out_.add_attribute_table();
          made.set_key_strindex(key);
          if (text.empty())
            made.mutable_value()->set_int_value(number);
          else
            made.mutable_value()->set_string_value(text);
        },
        1);
  }

  int32_t mapping(const std::string& file, const std::string& build_id, uint64_t limit) {
    return add(
        mappings_, {file, build_id},
        [&] {
          const int32_t name = string(file);
          const int32_t id = build_id.empty() ? 0 : attribute(kBuildId, build_id);
          otlp::Mapping& made = *out_.add_mapping_table();
          made.set_filename_strindex(name);
          made.set_memory_limit(limit);
          if (id != 0) made.add_attribute_indices(id);
        },
        1);
  }

  int32_t function(int32_t name, int32_t system_name, int32_t file, int64_t line) {
    return add(
        functions_, {name, system_name, file, line},
        [&] {
          otlp::Function& made = *out_.add_function_table();
          made.set_name_strindex(name);
          made.set_system_name_strindex(system_name);
          made.set_filename_strindex(file);
          made.set_start_line(line);
        },
        1);
  }

  // A location has one line: pprof's has no inlined functions where Oriel writes it.
  int32_t location(int32_t mapping, uint64_t address, int32_t function, int64_t line) {
    return add(
        locations_, {mapping, address, function, line},
        [&] {
          otlp::Location& made = *out_.add_location_table();
          made.set_mapping_index(mapping);
          made.set_address(address);
          otlp::Line& its = *made.add_lines();
          its.set_function_index(function);
          its.set_line(line);
        },
        1);
  }

  int32_t stack(const std::vector<int32_t>& locations) {
    return add(
        stacks_, locations,
        [&] {
          otlp::Stack& made = *out_.add_stack_table();
          made.mutable_location_indices()->Add(locations.begin(), locations.end());
        },
        1);
  }

 private:
  // The index of an entry, which is made if it is new; the first one has the index `first`.
  template <typename Known, typename Make>
  static int32_t add(Known& known, const typename Known::key_type& key, Make make, int32_t first = 0) {
    if (const auto found = known.find(key); found != known.end()) return found->second;
    make();
    const auto index = static_cast<int32_t>(known.size()) + first;
    known.emplace(key, index);
    return index;
  }

  otlp::ProfilesDictionary& out_;
  std::map<std::string, int32_t> strings_;
  std::map<std::tuple<int32_t, std::string, int64_t>, int32_t> attributes_;
  std::map<std::pair<std::string, std::string>, int32_t> mappings_;
  std::map<std::tuple<int32_t, int32_t, int32_t, int64_t>, int32_t> functions_;
  std::map<std::tuple<int32_t, uint64_t, int32_t, int64_t>, int32_t> locations_;
  std::map<std::vector<int32_t>, int32_t> stacks_;
};

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

  void write(otlp::ScopeProfiles& to, std::string_view id) {
    // Of samples with a period the second value is the first one times the period.
    const int types = from_.period() > 0 ? 1 : from_.sample_type_size();
    std::vector<otlp::Profile*> made;
    for (int i = 0; i < types; ++i) made.push_back(&add_profile(to, i, id));
    // The place of a sample with this stack and these attributes, which are its identity.
    std::map<std::vector<int32_t>, int> places;
    for (const pprof::Sample& sample : from_.sample()) {
      const int32_t stack = stack_of(sample);
      std::vector<int32_t> identity = attributes_of(sample);
      identity.push_back(stack);
      const auto [place, is_new] = places.try_emplace(identity, static_cast<int>(places.size()));
      for (int i = 0; i < types; ++i) {
        if (is_new) {
          otlp::Sample& added = *made[static_cast<size_t>(i)]->add_samples();
          added.set_stack_index(stack);
          added.mutable_attribute_indices()->Add(identity.begin(), identity.end() - 1);
          added.add_values(sample.value(i));
        } else {
          otlp::Sample& known = *made[static_cast<size_t>(i)]->mutable_samples(place->second);
          known.set_values(0, known.values(0) + sample.value(i));
        }
      }
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

  otlp::Profile& add_profile(otlp::ScopeProfiles& to, int type, std::string_view id) {
    otlp::Profile& made = *to.add_profiles();
    set_type(*made.mutable_sample_type(), from_.sample_type(type));
    made.set_time_unix_nano(static_cast<uint64_t>(from_.time_nanos()));
    made.set_duration_nano(static_cast<uint64_t>(from_.duration_nanos()));
    if (from_.period() > 0) {
      set_type(*made.mutable_period_type(), from_.period_type());
      made.set_period(from_.period());
    }
    std::string own(id);
    own[0] = static_cast<char>(own[0] + type);
    made.set_profile_id(own);
    return made;
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

// From the contents, so that a server knows a profile that it gets again.
std::string id_of(const pprof::Profile& profile) {
  const std::string bytes = profile.SerializeAsString();
  const auto hash = sha256({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  return {hash.begin(), hash.begin() + 16};
}

}  // namespace

Result<Parcel> otlp_parcel(const Server& server, const Identity& identity, std::span<const pprof::Profile> profiles) {
  otlp::ExportProfilesServiceRequest request;
  otlp::ResourceProfiles& resource = *request.add_resource_profiles();
  add_attribute(*resource.mutable_resource(), kServiceNameKey, identity.service);
  for (const Label& label : identity.labels) add_attribute(*resource.mutable_resource(), label.name, label.value);
  otlp::ScopeProfiles& scope = *resource.add_scope_profiles();
  scope.mutable_scope()->set_name("oriel");
  scope.mutable_scope()->set_version(version_text());
  Dictionary dictionary(*request.mutable_dictionary());
  for (const pprof::Profile& profile : profiles) Conversion(profile, dictionary).write(scope, id_of(profile));
  std::string bytes;
  if (!request.SerializeToString(&bytes))
    return Status::error("the profile is too large for OTLP; push a part of it, by thread or time");
  Result<std::string> body = exports::gzip(bytes);
  if (!body) return body.status();
  return Parcel{server.url, "", "application/x-protobuf", "gzip", std::move(*body)};
}

}  // namespace oriel::push
