#include "test_code.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "base/text/function_names.h"
#include "modules/origin.h"

namespace oriel::coverage_module {
namespace {

using assembly::Assembly;
using assembly::TestMethod;

constexpr uint32_t kRow = 0xffffff;

// The assemblies that define the tests' attributes: beside the tests.
class Neighbours {
 public:
  explicit Neighbours(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const Assembly* find(const std::string& name) {
    const auto [known, is_new] = open_.try_emplace(name);
    if (!is_new) return known->second.get();
    Result<Assembly> opened = Assembly::open((folder_ / (name + ".dll")).string());
    if (opened) known->second = std::make_unique<Assembly>(std::move(*opened));
    return known->second.get();
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<Assembly>> open_;
};

std::vector<TestMethod> read_tests(const std::string& path) {
  const Result<Assembly> opened = Assembly::open(path);
  if (!opened || !assembly::is_of_tests(*opened)) return {};
  Neighbours neighbours(std::filesystem::path(path).parent_path());
  return assembly::test_methods(*opened, [&](const std::string& name) { return neighbours.find(name); });
}

bool may_have_tests(oriel_image* image) {
  const std::string path = oriel_image_path(image);
  oriel_assembly* const of = oriel_image_assembly(image);
  return !path.empty() && modules::origin_of(path, of ? oriel_assembly_name(of) : "").kind != log::Origin::kFramework;
}

}  // namespace

const TestCode::Methods& TestCode::methods_of(oriel_image* image) {
  const auto known = images_.find(image);
  if (known != images_.end()) return known->second;
  Methods methods;
  if (may_have_tests(image))
    for (const TestMethod& method : read_tests(oriel_image_path(image))) methods[method.row] = method;
  return images_[image] = std::move(methods);
}

bool TestCode::has_tests(oriel_image* image) {
  const std::lock_guard guard(reading_);
  return !methods_of(image).empty();
}

Test& TestCode::test_at(oriel_image* image, uint32_t row) {
  std::unique_ptr<Test>& test = tests_[{image, row}];
  if (!test) test = std::make_unique<Test>();
  return *test;
}

const TestCode::Role* TestCode::find(oriel_method* method) {
  oriel_image* const image = oriel_method_image(method);
  if (image == nullptr) return nullptr;
  Role role;
  {
    const std::lock_guard guard(reading_);
    const Methods& methods = methods_of(image);
    const auto found = methods.find(oriel_method_token(method) & kRow);
    if (found == methods.end()) return nullptr;
    role.role = found->second.role;
    role.ends_later = found->second.ends_later;
    if (role.role == assembly::TestRole::kTest) {
      role.test = &test_at(image, found->second.row);
      // "Shop.Tests.Cart+Empty.IsFree": the form in which runners select tests.
      role.test->name = without_parameters(oriel_method_raw_name(method));
    } else if (role.role == assembly::TestRole::kTestsBody) {
      role.test = &test_at(image, found->second.test);
    }
  }
  const std::lock_guard guard(lock_);
  return &roles_.try_emplace(method, role).first->second;
}

const TestCode::Role* TestCode::known(const oriel_method* method) {
  const std::lock_guard guard(lock_);
  const auto found = roles_.find(method);
  return found == roles_.end() ? nullptr : &found->second;
}

}  // namespace oriel::coverage_module
