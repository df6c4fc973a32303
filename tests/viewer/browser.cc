#include "viewer/browser.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace oriel::testing {
namespace {

namespace fs = std::filesystem;

std::string run(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  std::array<char, 1 << 16> chunk;
  while (const size_t size = fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), size);
  pclose(pipe);
  return output;
}

std::string browser_path() {
  // The first one is the same without windows, and starts in a third of the time.
  std::string path =
      run("command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || "
          "command -v google-chrome");
  return path.substr(0, path.find('\n'));
}

// Runs before the page's own script, so that its errors are seen too.
constexpr const char* kPrelude = R"(<script>
  const reported = {};
  // A browser without a window makes no frames while its clock jumps.
  window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 16);
  const report = (name, value) => { reported[name] = value; };
  const done = () => {
    const box = document.createElement("pre");
    box.id = "reported";
    box.textContent = encodeURIComponent(JSON.stringify(reported));
    document.body.append(box);
  };
  window.addEventListener("error", (event) => report("error", event.message + " line " + event.lineno));
  window.addEventListener("unhandledrejection", (event) => { report("error", String(event.reason)); done(); });
  document.addEventListener("securitypolicyviolation", (event) => report("violation", event.blockedURI));
</script>)";

// What a person does, as events at the place where a person would do it.
constexpr const char* kTools = R"(
  const $ = (id) => document.getElementById(id);
  const settle = () => new Promise((resolve) => setTimeout(resolve, 400));
  const box = () => $("graph").getBoundingClientRect();
  const at = (share, row) => ({clientX: box().left + share * $("graph").clientWidth,
                               clientY: box().top + row * 21 + 10 - $("graph").scrollTop, bubbles: true});
  const click = async (share, row) => { $("graph").dispatchEvent(new MouseEvent("click", at(share, row))); await settle(); };
  const hover = async (share, row) => { $("graph").dispatchEvent(new MouseEvent("mousemove", at(share, row))); await settle(); };
  const press = async (key, target = $("graph"), more = {}) => {
    target.focus();
    target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...more}));
    await settle();
  };
  const type = async (text) => {
    $("search").value = text;
    $("search").dispatchEvent(new Event("input", {bubbles: true}));
    await settle();
  };
  const choose = async (value) => {
    $("thread").value = value;
    $("thread").dispatchEvent(new Event("change", {bubbles: true}));
    await settle();
  };
  // Presses the button with that text, of those within the element.
  const press_button = async (id, text) => {
    [...$(id).querySelectorAll("button")].find((button) => button.textContent.includes(text)).click();
    await settle();
  };
  const rows = (id) => [...$(id).querySelectorAll("tr")].map((row) => row.innerText.split(/\s+/).join(" ").trim());
  const crumbs = () => [...document.querySelectorAll("#crumbs button")].map((crumb) => crumb.title);
  // Whether the graph is painted there: its pixel is not transparent.
  const painted = (share, row) => {
    const ratio = canvas.width / canvas.clientWidth, {clientX, clientY} = at(share, row);
    const x = (clientX - box().left) * ratio, y = (clientY - box().top - 6) * ratio;
    return canvas.getContext("2d").getImageData(x, y, 1, 1).data[3] > 0;
  };
)";

}  // namespace

std::string why_no_browser() {
  return browser_path().empty() ? "no Chromium to open the page in: sudo apt install chromium-headless-shell" : "";
}

std::string with_script(std::string page, const std::string& script) {
  page.insert(page.find("<body>"), kPrelude);
  page.insert(page.rfind("</body>"), "<script>(async () => {" + script + "; done(); })();</script>");
  return page;
}

std::string page_with_script(const profile::Profile& profile, const std::string& script,
                             const exports::Options& options) {
  std::ostringstream out;
  const Status status = exports::write_export(**exports::find_export("html"), profile, out, options);
  EXPECT_TRUE(status) << status.message();
  return with_script(out.str(), kTools + script);
}

nlohmann::json run_in_browser(const std::string& page, Clock clock) {
  std::string folder = (fs::temp_directory_path() / "oriel-viewer-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return nullptr;
  std::ofstream(folder + "/page.html", std::ios::binary) << page;
  const std::string dom =
      run(browser_path() +
          " --headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
          " --disable-background-networking --disable-component-update --disable-sync"
          " --window-size=1280,800" +
          (clock == Clock::kJumping ? " --virtual-time-budget=60000" : "") + " --user-data-dir=" + folder +
          "/user --dump-dom file://" + folder + "/page.html 2>" + folder + "/errors");
  const std::string begin = "<pre id=\"reported\">";
  const size_t at = dom.find(begin);
  fs::remove_all(folder);
  if (at == dom.npos) return nullptr;
  const size_t end = dom.find("</pre>", at);
  // Undo encodeURIComponent.
  const std::string coded = dom.substr(at + begin.size(), end - at - begin.size());
  std::string text;
  for (size_t i = 0; i < coded.size(); ++i) {
    if (coded[i] == '%') {
      text += static_cast<char>(std::stoi(coded.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      text += coded[i];
    }
  }
  return nlohmann::json::parse(text);
}

}  // namespace oriel::testing
