#include "plugins/configuration.h"

#include <expat.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>

#include "runtimes/coreclr/com/com_text.h"

namespace oriel::plugins {
namespace {

constexpr size_t kMostDepth = 16;

std::string trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// Elements as they come: which one is open is known by how deep it is.
class Reader {
 public:
  Reader(XML_Parser parser, const std::string& folder) : parser_(parser), folder_(folder) {}

  void begin(const std::string& name) {
    path_.push_back(name);
    text_.clear();
    if (path_.size() > kMostDepth) return fail("elements are nested too deep");
    if (path_.size() == 1 && name != "InstrumentationEngineConfiguration")
      return fail("the outermost element is <" + name + ">, not <InstrumentationEngineConfiguration>");
    if (path_.size() != 2) return;
    if (name != "InstrumentationMethod" && name != "InstrumentationMethod64" && name != "InstrumentationMethod32")
      return fail("<" + name + "> is none of <InstrumentationMethod>, <InstrumentationMethod64>");
    made_ = {};
    seen_.clear();
  }

  void end() {
    if (path_.size() == 3) take(path_.back(), trimmed(text_));
    if (path_.size() == 2) finish(path_.back());
    text_.clear();
    path_.pop_back();
  }

  void characters(const char* text, int size) { text_.append(text, static_cast<size_t>(size)); }

  void attribute(const char** attributes) {
    if (path_.size() != 4 || path_.back() != "Setting") return;
    std::pair<std::string, std::string> setting;
    for (; attributes[0] != nullptr; attributes += 2) {
      if (std::string_view(attributes[0]) == "Name") setting.first = attributes[1];
      if (std::string_view(attributes[0]) == "Value") setting.second = attributes[1];
    }
    made_.settings.push_back(std::move(setting));
  }

  const Status& fault() const { return fault_; }
  std::vector<PluginSpec> specs;

 private:
  void take(const std::string& name, const std::string& text) {
    seen_.insert(name);
    if (name == "Name") made_.name = text;
    if (name == "Description") made_.description = text;
    if (name == "Module") made_.path = text.starts_with('/') ? text : folder_ + "/" + text;
    if (name == "ClassGuid" && !coreclr::parse_guid(text.c_str(), made_.class_id))
      return fail("<ClassGuid> is '" + text + "', which is no class id");
    if (name == "Priority") {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), made_.priority);
      if (error != std::errc() || end != text.data() + text.size())
        return fail("<Priority> is '" + text + "', which is no number from 0 on");
    }
    static const std::set<std::string> kKnown = {"Name", "Description", "Module", "ClassGuid", "Priority", "Settings"};
    if (kKnown.count(name) == 0) fail("<" + name + "> is nothing that a method has");
  }

  void finish(const std::string& element) {
    for (const char* needed : {"Name", "Description", "Module", "ClassGuid"})
      if (seen_.count(needed) == 0) return fail("a method lacks its <" + std::string(needed) + ">");
    if (element == "InstrumentationMethod32") return;
    for (const PluginSpec& other : specs)
      if (other.class_id == made_.class_id) return fail("two methods have the same <ClassGuid>");
    specs.push_back(std::move(made_));
  }

  void fail(const std::string& what) {
    if (fault_) fault_ = Status::error("line " + std::to_string(XML_GetCurrentLineNumber(parser_)) + ": " + what);
    XML_StopParser(parser_, XML_FALSE);
  }

  XML_Parser parser_;
  const std::string& folder_;
  std::vector<std::string> path_;
  std::string text_;
  PluginSpec made_;
  std::set<std::string> seen_;
  Status fault_ = Status::ok();
};

}  // namespace

Result<std::vector<PluginSpec>> parse_configuration(std::string_view xml, const std::string& folder) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
  if (!parser) return Status::error("there is no memory for it");
  Reader reader(parser.get(), folder);
  XML_SetUserData(parser.get(), &reader);
  XML_SetElementHandler(
      parser.get(),
      [](void* data, const char* name, const char** attributes) {
        static_cast<Reader*>(data)->begin(name);
        static_cast<Reader*>(data)->attribute(attributes);
      },
      [](void* data, const char*) { static_cast<Reader*>(data)->end(); });
  XML_SetCharacterDataHandler(
      parser.get(), [](void* data, const char* text, int size) { static_cast<Reader*>(data)->characters(text, size); });
  const XML_Status parsed = XML_Parse(parser.get(), xml.data(), static_cast<int>(xml.size()), 1);
  if (!reader.fault()) return reader.fault();
  if (parsed != XML_STATUS_OK)
    return Status::error("line " + std::to_string(XML_GetCurrentLineNumber(parser.get())) + ": " +
                         XML_ErrorString(XML_GetErrorCode(parser.get())));
  return std::move(reader.specs);
}

Result<std::vector<PluginSpec>> read_configuration(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Status::error(path + " cannot be read");
  const std::string xml{std::istreambuf_iterator<char>(file), {}};
  const size_t slash = path.rfind('/');
  auto specs = parse_configuration(xml, slash == std::string::npos ? "." : path.substr(0, slash));
  return specs ? std::move(specs) : Status::error(path + ", " + specs.message());
}

}  // namespace oriel::plugins
