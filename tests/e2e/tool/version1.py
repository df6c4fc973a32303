"""Reads files of version 1 of the format of a log, written from the format's description alone: nothing here is Oriel's."""
import collections
import dataclasses
import struct

INTRO, LOADED, UNLOADED, MAPPING, EVENTS, STATISTICAL, END = range(1, 8)
ENTER, EXIT_IMPLICIT, EXIT_EXPLICIT, ALLOCATION, METHOD, CLASS, OTHER = range(1, 8)
OTHERS = {1: "thread", 2: "collection", 3: "mark", 4: "sweep", 5: "resize"}

Event = collections.namedtuple("Event", "thread what value counter extra")


class Fields:
    """A block's contents, read from front to back."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def int(self):
        value = shift = 0
        while True:
            group = self.byte()
            value |= (group & 0x7F) << shift
            shift += 7
            if group & 0x80:
                return value

    def string(self):
        end = self.data.index(0, self.at)
        text = self.data[self.at:end].decode("ascii")
        self.at = end + 1
        return text

    def clock(self):
        return self.int(), self.int()

    def ids(self):
        found = []
        while (value := self.int()) != 0:
            found.append(value)
        return found

    def done(self):
        if self.at != len(self.data):
            raise ValueError(f"{len(self.data) - self.at} bytes are left in a block")


@dataclasses.dataclass
class Log:
    runtime: str = ""
    clocks: list = dataclasses.field(default_factory=list)
    classes: dict = dataclasses.field(default_factory=dict)
    methods: dict = dataclasses.field(default_factory=dict)
    loads: list = dataclasses.field(default_factory=list)
    events: list = dataclasses.field(default_factory=list)
    method_hits: list = dataclasses.field(default_factory=list)
    native_hits: list = dataclasses.field(default_factory=list)
    spans: list = dataclasses.field(default_factory=list)
    ended: bool = False

    def method_name(self, number):
        klass, name = self.methods[number]
        return f"{self.classes[klass]}.{name}" if klass else name


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    log, at = Log(), 0
    while at < len(data):
        code, length = struct.unpack_from("<HI", data, at)
        if at + 6 + length > len(data):
            raise ValueError("the last block is cut")
        if (code == INTRO) != (at == 0) or log.ended:
            raise ValueError(f"a block of code {code} at {at} is out of place")
        fields = Fields(data[at + 6:at + 6 + length])
        READERS[code](fields, log)
        fields.done()
        at += 6 + length
    return log


def read_intro(fields, log):
    if fields.int() != 1:
        raise ValueError("another version")
    log.runtime = fields.string()
    fields.int()
    log.clocks.append(fields.clock())


def read_load(fields, log, what):
    log.loads.append((what, fields.byte(), fields.int(), fields.int(), fields.int(), fields.string()))


def read_mapping(fields, log):
    log.clocks.append(fields.clock())
    fields.int()
    while (number := fields.int()) != 0:
        log.classes[number] = fields.string()
    while (number := fields.int()) != 0:
        log.methods[number] = (fields.int(), fields.string())
    log.clocks.append(fields.clock())


def read_events(fields, log):
    log.clocks.append(fields.clock())
    thread = fields.int()
    counter = fields.int()
    while (code := fields.byte()) != 0:
        packed, upper = code & 7, code >> 3
        main, extra = fields.int(), fields.int()
        if packed <= ALLOCATION:
            main = main << 5 | upper
        if packed != ALLOCATION:
            counter += extra
        log.events.append(Event(thread, kind_of(packed, upper), main, counter, extra if packed == ALLOCATION else 0))
    log.clocks.append(fields.clock())


def kind_of(packed, upper):
    if packed in (ENTER, EXIT_IMPLICIT, EXIT_EXPLICIT, ALLOCATION):
        return ("", "enter", "implicit exit", "exit", "allocation")[packed]
    failed = " failed" if upper & 4 else ""
    if packed == METHOD:
        return ("jit", "freed")[upper & 1] + failed
    if packed == CLASS:
        return ("load", "unload", "exception")[upper & 3] + failed
    if packed != OTHER:
        raise ValueError(f"an event of code {packed}")
    return OTHERS[upper & 15] + (" end" if upper & 16 else " start")


def read_statistical(fields, log):
    start = fields.int()
    log.method_hits += fields.ids()
    log.native_hits += fields.ids()
    log.spans.append((start, fields.int()))


def read_end(fields, log):
    if fields.int() != 1:
        raise ValueError("the end is of another version")
    log.clocks.append(fields.clock())
    log.ended = True


READERS = {INTRO: read_intro, LOADED: lambda fields, log: read_load(fields, log, "loaded"),
           UNLOADED: lambda fields, log: read_load(fields, log, "unloaded"), MAPPING: read_mapping, EVENTS: read_events,
           STATISTICAL: read_statistical, END: read_end}
