"""Assemblies that no compiler writes: few bytes, to which many rows refer. Each is a real one with other metadata."""
import struct

MODULE, TYPE_DEF, METHOD_DEF, ASSEMBLY_REF = 0x00, 0x02, 0x06, 0x23


def metadata(tables, strings):
    """Tables as pairs of how many rows there are and what one is, by number."""
    present = sum(1 << table for table in tables)
    rows = b"".join(struct.pack("<I", count) for count, _ in tables.values())
    stream = struct.pack("<IBBBBQQ", 0, 2, 0, 0, 1, present, 0) + rows
    stream += b"".join(row * count for count, row in tables.values()) + bytes(4)
    streams = [(b"#~\0\0", stream), (b"#Strings\0\0\0\0", strings), (b"#Blob\0\0\0", b"\0\3\0\0\1\0"),
               (b"#GUID\0\0\0", bytes(range(16)))]
    version = b"v4.0.30319\0\0"
    head = struct.pack("<IHHII", 0x424a5342, 1, 1, 0, len(version)) + version + struct.pack("<HH", 0, len(streams))
    at = len(head) + sum(8 + len(name) for name, _ in streams)
    for name, contents in streams:
        head += struct.pack("<II", at, len(contents)) + name
        at += len(contents)
    return head + b"".join(contents for _, contents in streams)


def with_metadata(real, new):
    """At the end of its last section, which grows."""
    image = bytearray(real)
    pe = struct.unpack_from("<I", image, 0x3c)[0]
    sections, optional = struct.unpack_from("<H", image, pe + 6)[0], struct.unpack_from("<H", image, pe + 20)[0]
    wide = struct.unpack_from("<H", image, pe + 24)[0] == 0x20b
    cli = struct.unpack_from("<I", image, pe + 24 + (112 if wide else 96) + 14 * 8)[0]
    table = pe + 24 + optional
    headers = [struct.unpack_from("<IIII", image, table + 40 * i + 8) for i in range(sections)]
    for virtual, address, size, begin in headers:
        if address <= cli < address + max(virtual, size):
            cli += begin - address
    last = table + 40 * (sections - 1)
    _, address, _, begin = headers[-1]
    grown = len(image) - begin
    image += new
    struct.pack_into("<I", image, last + 8, grown + len(new))
    struct.pack_into("<I", image, last + 16, grown + len(new))
    struct.pack_into("<II", image, cli + 8, address + grown, len(new))
    return bytes(image)


def crafted(real, types, methods, references=0):
    body = 0x2050  # any place with code
    strings = b"\0hello.dll\0" + b"n" * 4000 + b"\0"
    tables = {MODULE: (1, struct.pack("<5H", 0, 1, 1, 0, 0)),
              TYPE_DEF: (types, struct.pack("<IHHHHH", 1, 11, 11, 0, 1, 1)),
              METHOD_DEF: (methods, struct.pack("<IHHHHH", body, 0, 6, 11, 1, 1))}
    if references:
        tables[ASSEMBLY_REF] = (references, struct.pack("<4HIHHHH", 1, 0, 0, 0, 0, 0, 11, 0, 0))
    return with_metadata(real, metadata(tables, strings))


CRAFTED = {
    "a name that types share": lambda real: crafted(real, 10_000, 1),
    "a name that methods share": lambda real: crafted(real, 2, 10_000),
    "a name that references share": lambda real: crafted(real, 2, 1, 40_000),
}
