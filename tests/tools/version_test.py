#!/usr/bin/env python3
"""The version is that of the repository's tag; without a tag, a repository or git's consent, the one that CMake is given."""
import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = f"""
include("{ROOT}/cmake/OrielVersion.cmake")
oriel_version("${{FOLDER}}" 0.1.0)
message("${{ORIEL_VERSION}} ${{ORIEL_VERSION_NUMBER}}")
"""


class Version(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="oriel-version-")
        self.addCleanup(scratch.cleanup)
        self.script = os.path.join(scratch.name, "version.cmake")
        with open(self.script, "w", encoding="utf-8") as out:
            out.write(SCRIPT)
        self.folder = os.path.join(scratch.name, "tree")
        os.mkdir(self.folder)

    def git(self, *words):
        subprocess.run(["git", "-C", self.folder, "-c", "user.name=x", "-c", "user.email=x@y.invalid", *words], check=True,
                       capture_output=True)

    def commit(self):
        self.git("commit", "--allow-empty", "-m", "x")

    def version(self, folder=None):
        done = subprocess.run(["cmake", f"-DFOLDER={folder or self.folder}", "-P", self.script], check=True, capture_output=True,
                              text=True)
        return done.stderr.split()

    def test_a_tag_tells(self):
        self.git("init", "-q")
        self.commit()
        self.assertEqual(self.version(), ["0.1.0", "0.1.0"])
        self.git("tag", "v1.2.3")
        self.assertEqual(self.version(), ["1.2.3", "1.2.3"])
        self.commit()
        version, number = self.version()
        self.assertRegex(version, r"^1\.2\.3-1-g[0-9a-f]{7,}$")
        self.assertEqual(number, "1.2.3")
        self.git("tag", "-a", "-m", "candidate", "v2.0.0-rc.1")
        self.assertEqual(self.version(), ["2.0.0-rc.1", "2.0.0"])

    def test_other_tags_and_other_repositories_tell_nothing(self):
        self.assertEqual(self.version(), ["0.1.0", "0.1.0"])
        self.git("init", "-q")
        self.commit()
        self.git("tag", "v1")
        self.git("tag", "vendor-2.3.4")
        self.git("tag", 'v7.0.0";evil')
        self.assertEqual(self.version(), ["0.1.0", "0.1.0"])
        self.commit()
        self.git("tag", "v9.9.9")
        inner = os.path.join(self.folder, "oriel")
        os.mkdir(inner)
        self.assertEqual(self.version(inner), ["0.1.0", "0.1.0"])


if __name__ == "__main__":
    unittest.main()
