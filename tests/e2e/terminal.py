"""A terminal for programs that draw on one: a pty, and what xterm would show of what is written to it."""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time


class Screen:
    """The letters on the screen, by what ncurses sends to xterm, screen and the like."""

    SEQUENCE = re.compile(r"\x1b(?:\[([?>]?)([\d;]*)([@-~])|[()][A-Z0-9]|[=>78M])")

    def __init__(self, rows, columns):
        self.alternate = False
        self.rest = ""
        self.resize(rows, columns)

    def resize(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.row = self.column = 0
        self.lines = [[" "] * columns for _ in range(rows)]
        self.scroll = (0, rows - 1)
        self.last = " "

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)

    def feed(self, text):
        text, self.rest = self.rest + text, ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = self.SEQUENCE.match(text, at)
                if not found:
                    if len(text) - at < 30:
                        self.rest = text[at:]
                        return
                    raise AssertionError(f"unknown sequence {text[at:at + 20]!r}")
                self.sequence(found)
                at = found.end()
                continue
            self.letter(text[at])
            at += 1

    def letter(self, letter):
        if letter == "\r":
            self.column = 0
        elif letter == "\n":
            self.down()
        elif letter == "\b":
            self.column = max(self.column - 1, 0)
        elif letter == "\t":
            self.column = min(self.column // 8 * 8 + 8, self.columns - 1)
        elif letter >= " ":
            if self.column >= self.columns:
                self.column = 0
                self.down()
            self.lines[self.row][self.column] = self.last = letter
            self.column += 1

    def down(self):
        if self.row == self.scroll[1]:
            self.move(self.scroll[0], 1, True)
        else:
            self.row = min(self.row + 1, self.rows - 1)

    def move(self, top, count, up):
        """Lines of the scrolled part from `top` on."""
        region = self.lines[top:self.scroll[1] + 1]
        empty = [[" "] * self.columns for _ in range(min(count, len(region)))]
        moved = region[len(empty):] + empty if up else (empty + region)[:len(region)]
        self.lines[top:self.scroll[1] + 1] = moved

    def sequence(self, found):
        kind, code = found[1], found[3]
        if found[0] == "\x1bM":
            if self.row == self.scroll[0]:
                self.move(self.row, 1, False)
            else:
                self.row -= 1
            return
        if code is None or code in "mnhltcqu" and not kind:
            return
        numbers = [int(number or 0) for number in found[2].split(";")]
        first = max(numbers[0], 1)
        if kind:
            if kind == "?" and 1049 in numbers:
                self.alternate = code == "h"
        elif code in "Hf":
            self.row = min(first, self.rows) - 1
            self.column = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.columns) - 1
        elif code == "d":
            self.row = min(first, self.rows) - 1
        elif code in "G`":
            self.column = min(first, self.columns) - 1
        elif code == "A":
            self.row = max(self.row - first, 0)
        elif code == "B":
            self.row = min(self.row + first, self.rows - 1)
        elif code == "C":
            self.column = min(self.column + first, self.columns - 1)
        elif code == "D":
            self.column = max(self.column - first, 0)
        elif code == "J":
            self.erase(numbers[0])
        elif code == "K":
            begin, end = [(self.column, self.columns), (0, self.column + 1), (0, self.columns)][numbers[0]]
            self.lines[self.row][begin:end] = [" "] * (min(end, self.columns) - begin)
        elif code == "X":
            for column in range(self.column, min(self.column + first, self.columns)):
                self.lines[self.row][column] = " "
        elif code == "b":
            for _ in range(first):
                self.letter(self.last)
        elif code in "P@":
            line = self.lines[self.row]
            if code == "P":
                line[self.column:] = line[self.column + first:] + [" "] * min(first, self.columns - self.column)
            else:
                line[self.column:] = ([" "] * first + line[self.column:])[:self.columns - self.column]
        elif code == "r":
            self.scroll = (first - 1, (numbers[1] if len(numbers) > 1 else self.rows) - 1)
            self.row = self.column = 0
        elif code in "LMST":
            self.move(self.row if code in "LM" else self.scroll[0], first, code in "MS")
        else:
            raise AssertionError(f"unknown sequence {found[0]!r}")

    def erase(self, part):
        whole = range(self.rows)
        for row in whole if part >= 2 else whole[self.row + 1:] if part == 0 else whole[:self.row]:
            self.lines[row] = [" "] * self.columns
        if part == 0:
            self.lines[self.row][self.column:] = [" "] * (self.columns - self.column)


class Terminal:
    """A command with a terminal of its own."""

    def __init__(self, command, rows=24, columns=80, env=None, cwd=None, **rest):
        self.master, slave = pty.openpty()
        self.screen = Screen(rows, columns)
        self.raw = ""
        self.resize(rows, columns)
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=env,
                                        start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), **rest)

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if (rows, columns) != (self.screen.rows, self.screen.columns):
            self.screen.resize(rows, columns)

    def keys(self, text):
        os.write(self.master, text.encode())

    def read(self, seconds):
        """Takes what comes within that time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.master], [], [], left)[0]:
                return
            try:
                text = os.read(self.master, 65536).decode(errors="replace")
            except OSError:
                return
            self.raw += text
            self.screen.feed(text)

    def wait_for(self, pattern, seconds=60):
        """Until the screen has the text; the screen then."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.1)
            if re.search(pattern, self.screen.text()):
                return self.screen.text()
        raise AssertionError(f"{pattern!r} is not on the screen:\n{self.screen.text()}\nof {self.raw[-2000:]!r}")

    def wait(self, seconds=60):
        """The exit code, once the command has ended."""
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.05)
        self.read(0.1)
        return self.process.poll()

    def is_restored(self):
        return termios.tcgetattr(self.slave) == self.before and not self.screen.alternate

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)
        os.close(self.slave)
