#include "plugins/configuration.h"

#include <charconv>
#include <set>

#include "base/files/input_file.h"
#include "plugins/xml.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::plugins {
namespace {

std::pair<std::string, std::string> setting_of(const XmlAttributes& attributes) {
  const auto value_of = [&](const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? std::string() : found->second;
  };
  return {value_of("Name"), value_of("Value")};
}

// Children of the root element are methods; their children are properties of the method.
class Reader final : public XmlSink {
 public:
  explicit Reader(const std::string& folder) : folder_(folder) {}

  Status begin(const std::vector<std::string>& path, const XmlAttributes& attributes) override {
    const std::string& name = path.back();
    if (path.size() == 1 && name != "InstrumentationEngineConfiguration")
      return Status::error("the outermost element is <" + name + ">, not <InstrumentationEngineConfiguration>");
    if (path.size() == 4 && name == "Setting") made_.settings.push_back(setting_of(attributes));
    if (path.size() != 2) return Status::ok();
    if (name != "InstrumentationMethod" && name != "InstrumentationMethod64" && name != "InstrumentationMethod32")
      return Status::error("<" + name + "> is none of <InstrumentationMethod>, <InstrumentationMethod64>");
    made_ = {};
    seen_.clear();
    return Status::ok();
  }

  Status end(const std::vector<std::string>& path, const std::string& text) override {
    if (path.size() == 3) return take(path.back(), text);
    return path.size() == 2 ? finish(path.back()) : Status::ok();
  }

  std::vector<PluginSpec> specs;

 private:
  Status take(const std::string& name, const std::string& text) {
    seen_.insert(name);
    if (name == "Name") made_.name = text;
    if (name == "Description") made_.description = text;
    if (name == "Module") made_.path = text.starts_with('/') ? text : folder_ + "/" + text;
    if (name == "ClassGuid" && !coreclr::parse_guid(text.c_str(), made_.class_id))
      return Status::error("<ClassGuid> is '" + text + "', which is not a class id");
    if (name == "Priority") {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), made_.priority);
      if (error != std::errc() || end != text.data() + text.size())
        return Status::error("<Priority> is '" + text + "', which is not a number of at least 0");
    }
    static const std::set<std::string> kKnown = {"Name", "Description", "Module", "ClassGuid", "Priority", "Settings"};
    return kKnown.count(name) != 0 ? Status::ok() : Status::error("<" + name + "> is not an element of a method");
  }

  Status finish(const std::string& element) {
    for (const char* needed : {"Name", "Description", "Module", "ClassGuid"})
      if (seen_.count(needed) == 0) return Status::error("a method lacks its <" + std::string(needed) + ">");
    if (element == "InstrumentationMethod32") return Status::ok();
    for (const PluginSpec& other : specs)
      if (other.class_id == made_.class_id) return Status::error("two methods have the same <ClassGuid>");
    specs.push_back(std::move(made_));
    return Status::ok();
  }

  const std::string& folder_;
  PluginSpec made_;
  std::set<std::string> seen_;
};

// An attaching tool's request: configurations, each with settings, and log levels.
class AttachReader final : public XmlSink {
 public:
  Status begin(const std::vector<std::string>& path, const XmlAttributes& attributes) override {
    const std::string& name = path.back();
    if (path.size() == 1 && name != "InstrumentationEngineConfiguration")
      return Status::error("the outermost element is <" + name + ">, not <InstrumentationEngineConfiguration>");
    if (path.size() == 3 && path[1] == "InstrumentationMethods") return begin_method(name, attributes);
    if (name != "Setting") return Status::ok();
    const auto setting = setting_of(attributes);
    if (setting.first.empty()) return Status::error("a <Setting> has no Name");
    if (path.size() == 5 && path[2] == "AddInstrumentationMethod")
      request.methods.back().settings.push_back(setting);
    else if (path.size() == 4 && path[1] == "InstrumentationEngine")
      take(setting);
    return Status::ok();
  }
  Status end(const std::vector<std::string>&, const std::string&) override { return Status::ok(); }

  AttachRequest request;

 private:
  Status begin_method(const std::string& name, const XmlAttributes& attributes) {
    if (name != "AddInstrumentationMethod") return Status::error("<" + name + "> is no <AddInstrumentationMethod>");
    const auto path = attributes.find("ConfigPath");
    if (path == attributes.end() || path->second.empty())
      return Status::error("an <AddInstrumentationMethod> has no ConfigPath");
    request.methods.push_back({path->second, {}});
    return Status::ok();
  }

  void take(const std::pair<std::string, std::string>& setting) {
    if (setting.first == "LogLevel") request.log_level = setting.second;
    if (setting.first == "LogFileLevel") request.log_file_level = setting.second;
    if (setting.first == "LogFilePath") request.log_path = setting.second;
  }
};

}  // namespace

Result<std::vector<PluginSpec>> parse_configuration(std::string_view xml, const std::string& folder) {
  Reader reader(folder);
  if (Status read = read_xml(xml, reader); !read) return read;
  return std::move(reader.specs);
}

Result<AttachRequest> parse_attach(std::string_view xml) {
  AttachReader reader;
  if (Status read = read_xml(xml, reader); !read) return read;
  return std::move(reader.request);
}

Result<std::vector<PluginSpec>> read_configuration(const std::string& path) {
  constexpr uint64_t kMostBytes = 16u << 20;
  const Result<std::string> xml = read_input_text(path, kMostBytes);
  if (!xml) return Status::error(path + " cannot be read: " + xml.message());
  const size_t slash = path.rfind('/');
  auto specs = parse_configuration(*xml, slash == std::string::npos ? "." : path.substr(0, slash));
  return specs ? std::move(specs) : Status::error(path + ", " + specs.message());
}

}  // namespace oriel::plugins
