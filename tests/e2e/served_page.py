"""A script in the page that `oriel view` serves, in a headless Chromium. The browser sees the page through a server of its
own, which adds the script and takes what it reports."""
import contextlib
import http.server
import json
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request


def browser():
    """The name of a Chromium; None if there is none."""
    return next((name for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome") if shutil.which(name)), None)


# `ready` waits for what the page asked the server for; `until` for a condition.
TOOLS = """
  const $ = (id) => document.getElementById(id);
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const until = async (condition) => { for (let i = 0; i < 600 && !condition(); i++) await wait(50); };
  const ready = async () => {
    await wait(300);
    await until(() => !$("graph") || !document.body.hasAttribute("aria-busy"));
    await wait(100);
  };
  const crumbs = () => [...document.querySelectorAll("#crumbs button")].map((crumb) => crumb.title);
  const rows = (id) => [...$(id).querySelectorAll("tr")].map((row) => row.innerText.split(/\\s+/).join(" ").trim());
"""


class _Between(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = self.path.lstrip("/")
        try:
            with urllib.request.urlopen(self.server.address + path, timeout=120) as answer:
                body, kind, status = answer.read(), answer.headers["Content-Type"], answer.status
        except urllib.error.HTTPError as refused:
            body, kind, status = refused.read(), "text/plain", refused.code
        if path.split("?")[0] in ("", "tables"):
            body = body.replace(b"</body>", self.server.script + b"</body>")
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # a browser may go away while it is answered
            self.wfile.write(body)

    def do_POST(self):
        self.server.reported = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        self.server.is_done.set()

    def log_message(self, *_):
        pass


def run_in_page(address, script, place="", size=(1280, 800), timeout=120, at_once=False):
    """What the script returned, run in the page at that place ("#thread=Main", "tables") when that is drawn, or at once. None
    if it did not end."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Between)
    server.address, server.reported, server.is_done = address, None, threading.Event()
    server.script = f"""<script>(async () => {{ {TOOLS}
      const tell = (value) => fetch("reported", {{method: "POST", body: JSON.stringify(value)}});
      window.addEventListener("error", (event) => tell({{error: event.message + " line " + event.lineno}}));
      try {{ {"" if at_once else "await ready();"} await tell(await (async () => {{ {script} }})()); }}
      catch (problem) {{ await tell({{error: String(problem.stack)}}); }}
    }})();</script>""".encode()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="oriel-page-", ignore_cleanup_errors=True) as folder:
        command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-port=0",
                   f"--window-size={size[0]},{size[1]}", f"--user-data-dir={folder}",
                   f"http://127.0.0.1:{server.server_port}/{place}"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as chromium:
            server.is_done.wait(timeout)
            chromium.terminate()
            chromium.wait()
    server.shutdown()
    server.server_close()
    return server.reported
