"""Portable PDBs that no compiler writes: few bytes, to which many rows refer. Each has the id of a real one."""
import struct
import zlib

# Tables, by number.
CODE_METHODS, DOCUMENTS, METHODS, CUSTOM = 0x06, 0x30, 0x31, 0x37
MODULE_TAG, DOCUMENT_TAG = 7, 22
SOURCE_LINK = bytes.fromhex("560511cc91a0384d9fec25ab9a351a6a")
SOURCE = bytes.fromhex("1b578a0e26696e46b4ad8ab04611f5fe")


def streams_of(pdb):
    at = 16 + struct.unpack_from("<I", pdb, 12)[0]
    at = (at + 3 & ~3) + 2
    count, at = struct.unpack_from("<H", pdb, at)[0], at + 2
    streams = {}
    for _ in range(count):
        begin, size = struct.unpack_from("<II", pdb, at)
        end = pdb.index(b"\0", at + 8)
        streams[pdb[at + 8:end].decode()] = pdb[begin:begin + size]
        at = end + 1 + 3 & ~3
    return streams


def rows_of_code(stream):
    """By table, what the stream #Pdb says of the image's."""
    present, at, rows = struct.unpack_from("<Q", stream, 24)[0], 32, {}
    for table in range(64):
        if present >> table & 1:
            rows[table] = struct.unpack_from("<I", stream, at)[0]
            at += 4
    return rows


def packed(value):
    """ECMA-335 II.23.2."""
    if value < 0x80:
        return bytes([value])
    return struct.pack(">H", value | 0x8000) if value < 0x4000 else struct.pack(">I", value | 0xc0000000)


class Blobs:
    def __init__(self):
        self.bytes = bytearray(b"\0")

    def add(self, blob):
        at = len(self.bytes)
        self.bytes += packed(len(blob)) + blob
        return at

    def name(self, *parts):
        return self.add(b"\0" + b"".join(map(packed, parts)))


def file_of(streams):
    version = b"PDB v1.0\0\0\0\0"
    head = struct.pack("<IHHII", 0x424a5342, 1, 1, 0, len(version)) + version + struct.pack("<HH", 0, len(streams))
    names = [name.encode() + b"\0" * (4 - len(name) % 4) for name, _ in streams]
    at = len(head) + sum(8 + len(name) for name in names)
    for name, (_, stream) in zip(names, streams):
        head += struct.pack("<II", at, len(stream)) + name
        at += len(stream)
    return head + b"".join(stream for _, stream in streams)


def with_documents(real, documents, blobs, custom):
    """Each method's lines are in all documents: pairs of a name and a hash. `custom`: whose, which kind, and what."""
    known = streams_of(real)
    rows = rows_of_code(known["#Pdb"])
    lines = packed(0) + packed(1) + bytes([0, 0, 5, 1, 1])
    for document in range(2, len(documents) + 1):
        lines += packed(0) + packed(document) + bytes([1, 0, 5, 0, 0])
    lines = blobs.add(lines)
    methods = rows.get(CODE_METHODS, 1)
    wide = max([len(documents), *rows.values()]) > 0xffff >> 5
    tables = b"".join(struct.pack("<IHIH", name, 0, hash_at, 0) for name, hash_at in documents)
    tables += struct.pack("<HI", 0, lines) + struct.pack("<HI", 0, 0) * (methods - 1)
    tables += b"".join(struct.pack("<IHI" if wide else "<HHI", *row) for row in custom)
    counts = [len(documents), methods] + [len(custom)] * bool(custom)
    present = 1 << DOCUMENTS | 1 << METHODS | bool(custom) << CUSTOM
    head = struct.pack("<IBBBBQQ", 0, 2, 0, 4, 1, present, 0) + struct.pack(f"<{len(counts)}I", *counts)
    return file_of([("#Pdb", known["#Pdb"]), ("#~", head + tables + bytes(4)), ("#Blob", bytes(blobs.bytes)),
                    ("#GUID", SOURCE + SOURCE_LINK)])


def numbered(blobs, count, hash_at=0):
    return [(blobs.name(blobs.add(b"/tmp/none/%d.cs" % i)), hash_at) for i in range(count)]


def shared_source(real, count=50, size=8_000_000, text=b"x"):
    blobs = Blobs()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    deflated = packer.compress(text * size) + packer.flush()
    source = blobs.add(struct.pack("<I", size * len(text)) + deflated)
    documents = numbered(blobs, count)
    return with_documents(real, documents, blobs, [(i + 1 << 5 | DOCUMENT_TAG, 1, source) for i in range(count)])


def lines_without_text(real):
    return shared_source(real, 1, 10_000_000, b"\n") + bytes(1_000_000)


def shared_hash(real):
    blobs = Blobs()
    hash_at = blobs.add(b"h" * 1_000_000)
    return with_documents(real, numbered(blobs, 400, hash_at), blobs, [])


def shared_name(real, size=1_000_000, count=400):
    blobs = Blobs()
    rest = blobs.add(b"p" * size)
    documents = [(blobs.name(blobs.add(b"/%d/" % i), rest), 0) for i in range(count)]
    return with_documents(real, documents, blobs, [])


def shared_name_of_a_path(real):
    return shared_name(real, 4000, 20_000)


def shared_link(real):
    blobs = Blobs()
    link = blobs.add(b'{"documents":{"*":"https://' + b"u" * 1_000_000 + b'/*"}}')
    return with_documents(real, numbered(blobs, 1000), blobs, [(1 << 5 | MODULE_TAG, 2, link)])


CRAFTED = {
    "a source that documents share": shared_source,
    "a source of empty lines": lines_without_text,
    "a hash that documents share": shared_hash,
    "a part of names that documents share": shared_name,
    "a folder of names that documents share": shared_name_of_a_path,
    "an address that documents share": shared_link,
}
