#!/usr/bin/env python3
"""A small client of the Roost protocol, written from SPEC.md alone; standard library only.

  python3 client.py --vectors DIR [--fill]    check golden frames, or fill in hex where it is `?`
  python3 client.py URL hello|echo|health|schema|stats
  python3 client.py URL get ENTITY ROW...
  python3 client.py URL fetch ENTITY [LIMIT]
  python3 client.py URL count ENTITY
  python3 client.py URL insert ENTITY NAME=JSON...
  python3 client.py URL invalid DIR           send every bad case of DIR/frames.txt, check the reaction

URL is roost://HOST:PORT. ENTITY is a name of the schema. Exit 0 when all went well.
"""
import json
import os
import socket
import struct
import sys
import uuid
import zlib

MAGIC = b"\x9fRST"
HELLO, REQUEST, MESSAGE, END, CANCEL, WINDOW, PING, GOAWAY, AUTH, NOTICE = range(1, 11)
TYPES = ["", "HELLO", "REQUEST", "MESSAGE", "END", "CANCEL", "WINDOW", "PING", "GOAWAY", "AUTH",
         "NOTICE"]
FLAGS = {"END": 1, "DEFLATE": 2, "CHECK": 4, "ACK": 8, "MORE": 16}
METHODS = {"Echo": 1, "Health": 2, "Describe": 4, "SchemaRegister": 5, "Get": 6, "Fetch": 7,
           "Count": 8, "Write": 10, "Import": 11, "Stats": 17, "CancelOperation": 22}
FRAME_MAX = 256 << 10


class Bad(Exception):
    """The bytes are not what SPEC.md allows."""


# ---------------------------------------------------------------- values

class Double(float):
    """A float that is written as a double even when it is whole."""


class Date(float):
    """Seconds since 2001-01-01T00:00:00Z."""


class Decimal(str):
    """A decimal number as text."""


class Ref(tuple):
    """(entity, row)"""


class Result(int):
    """The row that an earlier operation of the same write made."""


class Key(tuple):
    """(entity, [property], [value], creates missing)"""


class Map(list):
    """Pairs of text and value, keys ascending."""


class Batch:
    def __init__(self, entity, version, columns, rows):
        self.entity, self.version, self.columns, self.rows = entity, version, columns, rows


class Links:
    def __init__(self, entity, prop, owners):
        self.entity, self.prop, self.owners = entity, prop, owners


def varint(n):
    out = bytearray()
    while n >= 0x80:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def zigzag(n):
    return (n << 1) ^ (n >> 63) if n >= 0 else ((-n) << 1) - 1


def double_bytes(x):
    return b"\0\0\0\0\0\0\xf8\x7f" if x != x else struct.pack("<d", x)


def pack(v):
    if v is None:
        return b"\x00"
    if v is True:
        return b"\x02"
    if v is False:
        return b"\x01"
    if isinstance(v, Result):
        return b"\x0e" + varint(int(v))
    if isinstance(v, int):
        if 0 <= v < 128:
            return bytes([0x80 | v])
        z = zigzag(v)
        return b"\x03" + varint(z) if z < 1 << 56 else b"\x0c" + struct.pack("<q", v)
    if isinstance(v, Date):
        return b"\x07" + double_bytes(v)
    if isinstance(v, float):
        return b"\x04" + double_bytes(v)
    if isinstance(v, Decimal):
        raw = v.encode()
        return b"\x09" + varint(len(raw)) + raw
    if isinstance(v, str):
        raw = v.encode()
        head = bytes([0x40 | len(raw)]) if len(raw) < 64 else b"\x05" + varint(len(raw))
        return head + raw
    if isinstance(v, bytes):
        return b"\x06" + varint(len(v)) + v
    if isinstance(v, uuid.UUID):
        return b"\x08" + v.bytes
    if isinstance(v, Ref):
        return b"\x0d" + varint(v[0]) + varint(zigzag(v[1]))
    if isinstance(v, Key):
        entity, props, values, creates = v
        return (b"\x0f" + varint(entity) + varint(len(props)) + b"".join(map(varint, props))
                + b"".join(map(pack, values)) + bytes([1 if creates else 0]))
    if isinstance(v, Map):
        return b"\x0b" + varint(len(v)) + b"".join(pack(k) + pack(x) for k, x in v)
    if isinstance(v, dict):
        return pack(Map(sorted(v.items(), key=lambda item: item[0].encode())))
    if isinstance(v, (list, tuple)):
        return b"\x0a" + varint(len(v)) + b"".join(map(pack, v))
    if isinstance(v, Batch):
        return (b"\x10" + varint(v.entity) + varint(v.version) + varint(len(v.columns))
                + b"".join(map(varint, v.columns)) + varint(len(v.rows))
                + b"".join(pack(x) for row in v.rows for x in row))
    if isinstance(v, Links):
        return (b"\x16" + varint(v.entity) + varint(v.prop) + varint(len(v.owners))
                + b"".join(varint(zigzag(row)) + varint(len(related))
                           + b"".join(varint(zigzag(r)) for r in related)
                           for row, related in v.owners))
    raise TypeError(type(v))


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def raw(self, n):
        if n > self.left():
            raise Bad("truncated")
        self.at += n
        return self.data[self.at - n:self.at]

    def byte(self):
        return self.raw(1)[0]

    def fixed(self, form):
        return struct.unpack("<" + form, self.raw(struct.calcsize(form)))[0]

    def varint(self):
        value = shift = 0
        while True:
            b = self.byte()
            if shift == 63 and b > 1:
                raise Bad("varint too long")
            value |= (b & 0x7F) << shift
            if b < 0x80:
                if b == 0 and shift:
                    raise Bad("varint not shortest")
                return value
            shift += 7
            if shift > 63:
                raise Bad("varint too long")

    def zigzag(self):
        z = self.varint()
        return (z >> 1) ^ -(z & 1)

    def id(self):
        n = self.varint()
        if n >= 1 << 32:
            raise Bad("id too large")
        return n

    def count(self, each=1):
        n = self.varint()
        if n > self.left() // max(1, each):
            raise Bad("count over what is left")
        return n

    def text(self, n):
        try:
            return self.raw(n).decode("utf-8")
        except UnicodeDecodeError:
            raise Bad("not UTF-8")

    def double(self):
        raw = self.raw(8)
        x = struct.unpack("<d", raw)[0]
        if double_bytes(x) != raw:
            raise Bad("NaN not canonical")
        return x

    def value(self, depth=0):
        if depth >= 32:
            raise Bad("too deep")
        tag = self.byte()
        if tag >= 0x80:
            return tag & 0x7F
        if tag >= 0x40:
            return self.text(tag & 0x3F)
        if tag == 0x00:
            return None
        if tag in (0x01, 0x02):
            return tag == 0x02
        if tag == 0x03:
            n = self.zigzag()
            if 0 <= n < 128 or zigzag(n) >= 1 << 56:
                raise Bad("int not shortest")
            return n
        if tag == 0x0C:
            n = self.fixed("q")
            if zigzag(n) < 1 << 56:
                raise Bad("int not shortest")
            return n
        if tag == 0x04:
            return Double(self.double())
        if tag == 0x07:
            return Date(self.double())
        if tag == 0x05:
            n = self.count()
            if n < 64:
                raise Bad("text not shortest")
            return self.text(n)
        if tag == 0x06:
            return self.raw(self.count())
        if tag == 0x08:
            return uuid.UUID(bytes=self.raw(16))
        if tag == 0x09:
            return Decimal(self.text(self.count()))
        if tag == 0x0A:
            return [self.value(depth + 1) for _ in range(self.count())]
        if tag == 0x0B:
            pairs = Map()
            for _ in range(self.count(2)):
                key = self.value(depth + 1)
                if type(key) is not str:
                    raise Bad("map key is not text")
                if pairs and not pairs[-1][0].encode() < key.encode():
                    raise Bad("map keys do not ascend")
                pairs.append((key, self.value(depth + 1)))
            return pairs
        if tag == 0x0D:
            return Ref((self.id(), self.zigzag()))
        if tag == 0x0E:
            return Result(self.id())
        if tag == 0x0F:
            entity, n = self.id(), self.count(2)
            if n > 16:
                raise Bad("key too long")
            props = [self.id() for _ in range(n)]
            values = [self.value(depth + 1) for _ in range(n)]
            flag = self.byte()
            if flag > 1:
                raise Bad("flag")
            return Key((entity, props, values, flag == 1))
        raise Bad("unknown tag %02x" % tag)

    def item(self):
        """A value, a row batch or a link batch: what message bodies are made of."""
        tag = self.data[self.at] if self.left() else 0
        if tag == 0x10:
            self.byte()
            entity, version, n = self.id(), self.id(), self.count()
            if n > 1000:
                raise Bad("too many columns")
            columns = [self.id() for _ in range(n)]
            rows = self.count(max(1, n))
            if rows and not n:
                raise Bad("rows without columns")
            return Batch(entity, version, columns,
                         [[self.value() for _ in range(n)] for _ in range(rows)])
        if tag == 0x16:
            self.byte()
            return Links(self.id(), self.id(),
                         [(self.zigzag(), [self.zigzag() for _ in range(self.count())])
                          for _ in range(self.count(2))])
        return self.value()

    def items(self):
        out = []
        while self.left():
            out.append(self.item())
        return out


# ---------------------------------------------------------------- values as JSON, for the vectors

def to_json(v):
    if isinstance(v, Result):
        return {"result": int(v)}
    if v is None or isinstance(v, (bool, int)) or type(v) is str:
        return v
    if isinstance(v, Date):
        return {"date": repr(float(v))}
    if isinstance(v, float):
        return {"double": repr(float(v))}
    if isinstance(v, Decimal):
        return {"decimal": str(v)}
    if isinstance(v, bytes):
        return {"blob": v.hex()}
    if isinstance(v, uuid.UUID):
        return {"uuid": str(v)}
    if isinstance(v, Ref):
        return {"ref": list(v)}
    if isinstance(v, Key):
        return {"key": [v[0], v[1], [to_json(x) for x in v[2]], v[3]]}
    if isinstance(v, Map):
        return {"map": {k: to_json(x) for k, x in v}}
    if isinstance(v, Batch):
        return {"batch": [v.entity, v.version, v.columns,
                          [[to_json(x) for x in row] for row in v.rows]]}
    if isinstance(v, Links):
        return {"links": [v.entity, v.prop, [[row, list(r)] for row, r in v.owners]]}
    return [to_json(x) for x in v]


def from_json(j):
    if isinstance(j, list):
        return [from_json(x) for x in j]
    if not isinstance(j, dict):
        return j
    (kind, x), = j.items()
    if kind == "double":
        return Double(float(x))
    if kind == "date":
        return Date(float(x))
    if kind == "decimal":
        return Decimal(x)
    if kind == "blob":
        return bytes.fromhex(x)
    if kind == "uuid":
        return uuid.UUID(x)
    if kind == "ref":
        return Ref(x)
    if kind == "result":
        return Result(x)
    if kind == "key":
        return Key((x[0], x[1], from_json(x[2]), x[3]))
    if kind == "map":
        return Map((k, from_json(x[k])) for k in sorted(x, key=str.encode))
    if kind == "batch":
        return Batch(x[0], x[1], x[2], from_json(x[3]))
    if kind == "links":
        return Links(x[0], x[1], [tuple(owner) for owner in x[2]])
    if kind == "text":  # repeated text, so that long ones stay readable here
        return x[0] * x[1]
    raise Bad("meaning " + kind)


# ---------------------------------------------------------------- frames

def frame(kind, payload=b"", stream=0, flags=0):
    if flags & FLAGS["CHECK"]:
        header = struct.pack("<IIBBH", len(payload) + 4, stream, kind, flags, 0)
        return header + payload + struct.pack("<I", zlib.crc32(header + payload))
    return struct.pack("<IIBBH", len(payload), stream, kind, flags, 0) + payload


def head(method, timeout=None, sequence=None, min_token=None, metadata=None, credit=None,
         barrier=False):
    flags, rest = 0, b""
    if timeout is not None:
        flags, rest = flags | 1, rest + struct.pack("<I", timeout)
    if sequence is not None:
        flags, rest = flags | 2, rest + struct.pack("<QQ", *sequence)
    if min_token is not None:
        flags, rest = flags | 4, rest + struct.pack("<Q", min_token)
    if metadata:
        flags, rest = flags | 8, rest + pack(metadata)
    if credit is not None:
        flags, rest = flags | 16, rest + struct.pack("<I", credit)
    if barrier:
        flags |= 32
    return struct.pack("<HBB", method, flags, 0) + rest


def status_payload(status, detail, trailers):
    if status == 0 and detail == 0 and not trailers:
        return b""
    return struct.pack("<BBH", status, 0, detail) + pack(trailers)


def split(data):
    """(type, flags, stream, payload without checksum) of the frame at the start, and its size."""
    if len(data) < 12:
        return None
    size, stream, kind, flags, zero = struct.unpack("<IIBBH", data[:12])
    if zero or flags & ~31:
        raise Bad("reserved bits")
    if size > FRAME_MAX:
        raise Bad("frame too long")
    if len(data) < 12 + size:
        return None
    payload = data[12:12 + size]
    if flags & FLAGS["CHECK"]:
        if size < 4:
            raise Bad("no room for a checksum")
        if zlib.crc32(data[:12 + size - 4]) != struct.unpack("<I", payload[-4:])[0]:
            raise Bad("checksum")
        payload = payload[:-4]
    return (kind, flags, stream, payload), 12 + size


def inflate(payload):
    size, = struct.unpack("<I", payload[:4])
    stream = zlib.decompressobj()
    out = stream.decompress(payload[4:], size + 1)
    if len(out) != size or not stream.eof or stream.unused_data:
        raise Bad("inflate")
    return out


def meaning_of(data):
    """What one whole frame says, as the JSON of the vectors."""
    parsed = split(data)
    if not parsed or parsed[1] != len(data):
        raise Bad("not one frame")
    (kind, flags, stream, payload), _ = parsed
    out = {"frame": TYPES[kind]}
    if stream:
        out["stream"] = stream
    names = [name for name, bit in FLAGS.items() if flags & bit]
    if names:
        out["flags"] = names
    r = Reader(payload)
    if kind == HELLO:
        out["hello"] = to_json(r.value())["map"]
    elif kind == REQUEST:
        method, rflags, zero = r.fixed("H"), r.byte(), r.byte()
        if rflags & ~63 or zero:
            raise Bad("head")
        out["method"] = next((n for n, i in METHODS.items() if i == method), method)
        if rflags & 1:
            out["timeout"] = r.fixed("I")
        if rflags & 2:
            out["sequence"] = [r.fixed("Q"), r.fixed("Q")]
        if rflags & 4:
            out["min_token"] = r.fixed("Q")
        if rflags & 8:
            out["metadata"] = to_json(r.value())["map"]
        if rflags & 16:
            out["credit"] = r.fixed("I")
        if rflags & 32:
            out["barrier"] = True
        out["body"] = [to_json(x) for x in r.items()]
    elif kind == MESSAGE:
        if flags & FLAGS["DEFLATE"] and not flags & FLAGS["MORE"]:
            r = Reader(inflate(payload))
        out["body"] = [to_json(x) for x in r.items()]
    elif kind == END:
        if payload:
            out["status"], zero, out["detail"] = r.byte(), r.byte(), r.fixed("H")
            out["trailers"] = to_json(r.value())["map"]
            if zero:
                raise Bad("END")
    elif kind == CANCEL:
        out["reason"] = r.byte()
    elif kind == WINDOW:
        out["credit"] = r.fixed("I")
    elif kind == PING:
        out["opaque"] = r.raw(8).hex()
    elif kind == GOAWAY:
        out["last"], out["status"], out["phase"] = r.fixed("I"), r.byte(), r.byte()
        out["detail"], out["retry_ms"] = r.fixed("H"), r.fixed("I")
        out["text"] = r.text(r.left())
    elif kind == NOTICE:
        out["kind"], out["value"] = r.fixed("H"), to_json(r.value())
    if r.left():
        raise Bad("bytes after the payload")
    return out


def frame_of(m):
    """The frame that a meaning describes."""
    kind = TYPES.index(m["frame"])
    flags = sum(FLAGS[name] for name in m.get("flags", []))
    if kind == HELLO:
        payload = pack(from_json({"map": m["hello"]}))
    elif kind == REQUEST:
        method = METHODS.get(m["method"], m["method"])
        metadata = from_json({"map": m["metadata"]}) if "metadata" in m else None
        payload = head(method, m.get("timeout"), m.get("sequence"), m.get("min_token"), metadata,
                       m.get("credit"), m.get("barrier", False))
        payload += b"".join(pack(from_json(x)) for x in m["body"])
    elif kind == MESSAGE:
        payload = b"".join(pack(from_json(x)) for x in m["body"])
        if flags & FLAGS["DEFLATE"]:
            payload = struct.pack("<I", len(payload)) + zlib.compress(payload, 1)
    elif kind == END:
        payload = b"" if "status" not in m else status_payload(
            m["status"], m["detail"], from_json({"map": m["trailers"]}))
    elif kind == CANCEL:
        payload = bytes([m["reason"]])
    elif kind == WINDOW:
        payload = struct.pack("<I", m["credit"])
    elif kind == PING:
        payload = bytes.fromhex(m["opaque"])
    elif kind == GOAWAY:
        payload = struct.pack("<IBBHI", m["last"], m["status"], m["phase"], m["detail"],
                              m["retry_ms"]) + m["text"].encode()
    else:
        payload = struct.pack("<H", m["kind"]) + pack(from_json(m["value"]))
    return frame(kind, payload, m.get("stream", 0), flags)


# ---------------------------------------------------------------- vectors

def lines(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield number, line.split("\t")


def unhex(form):
    """Hex in parts with spaces between; `part*n` stands for n times the part."""
    out = b""
    for part in form.split():
        digits, _, times = part.partition("*")
        out += bytes.fromhex(digits) * int(times or 1)
    return out


def check_values(folder, fill):
    def encode(meaning):
        return pack(from_json(meaning))

    def decode(data):
        r = Reader(data)
        v = r.value()
        if r.left():
            raise Bad("bytes after the value")
        return v

    return check_file(os.path.join(folder, "values.txt"), fill, encode,
                      lambda data: to_json(decode(data)))


def check_frames(folder, fill):
    return check_file(os.path.join(folder, "frames.txt"), fill, frame_of, meaning_of)


def plain(meaning):
    """JSON without the typed hints that are not in the bytes."""
    if isinstance(meaning, dict):
        if set(meaning) == {"text"} and isinstance(meaning["text"], list):
            return meaning["text"][0] * meaning["text"][1]
        return {k: plain(v) for k, v in meaning.items() if k != "as"}
    return [plain(x) for x in meaning] if isinstance(meaning, list) else meaning


def check_file(path, fill, encode, decode):
    bad, count, out = 0, 0, []
    for number, parts in lines(path):
        name, form, meaning = parts[0], parts[-2], json.loads(parts[-1])
        count += 1
        if fill and form == "?":
            parts[-2] = form = encode(meaning).hex()
        out.append("\t".join(parts))
        data = unhex(form)
        decode_only = "DEFLATE" in meaning.get("flags", []) if isinstance(meaning, dict) else False
        try:
            if decode(data) != plain(meaning):
                raise Bad("reads as " + json.dumps(decode(data)))
            if not decode_only and encode(meaning) != data:
                raise Bad("writes as " + encode(meaning).hex())
        except Bad as error:
            bad += 1
            print("%s:%d: %s: %s" % (path, number, name, error))
    if fill:
        with open(path, encoding="utf-8") as file:
            comments = [line.rstrip("\n") for line in file if line.startswith("#")]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(comments + out) + "\n")
    print("%s: %d vectors, %d bad" % (os.path.basename(path), count, bad))
    return bad


def check_invalid_values(folder):
    path = os.path.join(folder, "..", "invalid", "values.txt")
    bad = count = 0
    for number, (name, form) in lines(path):
        count += 1
        r = Reader(unhex(form))
        try:
            r.item()
            if not r.left():
                bad += 1
                print("%s:%d: %s was taken" % (path, number, name))
        except Bad:
            pass
    print("invalid values: %d, %d taken" % (count, bad))
    return bad


# ---------------------------------------------------------------- connection

class Status(Exception):
    def __init__(self, status, detail, trailers):
        super().__init__("%d/%d %s" % (status, detail, dict(trailers).get("msg", "")))
        self.status, self.detail, self.trailers = status, detail, trailers


class Client:
    def __init__(self, url, hello=True):
        host, port = url.split("://", 1)[1].rstrip("/").rsplit(":", 1)
        self.socket = socket.create_connection((host.strip("[]"), int(port)), timeout=10)
        self.buffer, self.stream, self.server = b"", 1, None
        if hello:
            self.socket.sendall(MAGIC + b"\x01\x01\0\0"
                                + frame(HELLO, pack({"agent": "client.py/1"})))
            preface = self.exactly(8)
            if preface[:4] != MAGIC or preface[4] != 1:
                raise Bad("preface " + preface.hex())
            kind, _, _, payload = self.read()
            if kind != HELLO:
                raise Bad("no HELLO but " + TYPES[kind])
            self.server = dict(Reader(payload).value())

    def more(self):
        data = self.socket.recv(65536)
        if not data:
            raise Bad("the connection ended")
        self.buffer += data

    def exactly(self, n):
        while len(self.buffer) < n:
            self.more()
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def read(self):
        """The next frame that is not PING or WINDOW."""
        while True:
            parsed = split(self.buffer)
            if not parsed:
                self.more()
                continue
            (kind, flags, stream, payload), size = parsed
            self.buffer = self.buffer[size:]
            if kind == MESSAGE and payload:
                # Whatever came is taken at once, so all credit goes back.
                credit = struct.pack("<I", size - 12)
                self.socket.sendall(frame(WINDOW, credit) + (
                    b"" if flags & 1 else frame(WINDOW, credit, stream)))
            if kind == PING and not flags & FLAGS["ACK"]:
                self.socket.sendall(frame(PING, payload, 0, FLAGS["ACK"]))
            elif kind not in (PING, WINDOW, NOTICE):
                if kind == GOAWAY:
                    raise Bad("GOAWAY %s" % meaning_of(frame(GOAWAY, payload)))
                return kind, flags, stream, payload

    def call(self, method, body=b"", timeout=30000):
        """All messages of the answer, and the trailers."""
        stream, self.stream = self.stream, self.stream + 1
        self.socket.sendall(
            frame(REQUEST, head(METHODS[method], timeout) + body, stream, FLAGS["END"]))
        messages, open_message = [], b""
        while True:
            kind, flags, where, payload = self.read()
            if where != stream:
                raise Bad("stream %d" % where)
            if kind == MESSAGE:
                open_message += payload
                if not flags & FLAGS["MORE"]:
                    messages.append(open_message)
                    open_message = b""
                if flags & FLAGS["END"]:
                    return messages, {}
            elif kind == END:
                if not payload:
                    return messages, {}
                r = Reader(payload)
                status, _, detail, trailers = r.byte(), r.byte(), r.fixed("H"), r.value()
                if status:
                    raise Status(status, detail, trailers)
                return messages, dict(trailers)
            else:
                raise Bad("frame " + TYPES[kind])

    def schema(self):
        messages, _ = self.call("Describe")
        version, entities = Reader(messages[0]).value()[0]
        return version, {e[1]: e for e in entities}

    def entity(self, name):
        version, entities = self.schema()
        if name not in entities:
            raise SystemExit("no entity %s; there are %s" % (name, ", ".join(sorted(entities))))
        return version, entities[name]


def show(entity, batch):
    names = {0: "#"}
    names.update({p[0]: p[1] for p in entity[2]})
    for row in batch.rows:
        print(json.dumps({names.get(c, str(c)): to_json(v) for c, v in zip(batch.columns, row)},
                         ensure_ascii=False))


def run(url, command, arguments):
    if command == "invalid":
        return send_invalid(url, arguments[0])
    client = Client(url)
    if command == "hello":
        print(json.dumps(to_json(Map(sorted(client.server.items())))["map"]))
    elif command == "echo":
        messages, _ = client.call("Echo", b"hello")
        if messages != [b"hello"]:
            raise Bad("echo")
        print("hello")
    elif command == "health":
        print(json.dumps(to_json(Reader(client.call("Health")[0][0]).value())))
    elif command == "stats":
        print(json.dumps(to_json(Reader(client.call("Stats")[0][0]).value())["map"]))
    elif command == "schema":
        print(json.dumps(to_json(Reader(client.call("Describe")[0][0]).value()[0])))
    elif command == "get":
        _, entity = client.entity(arguments[0])
        keys = [int(row) for row in arguments[1:]]
        messages, _ = client.call("Get", pack([entity[0], keys, None]))
        show(entity, Reader(messages[0]).item())
    elif command in ("fetch", "count"):
        _, entity = client.entity(arguments[0])
        limit = int(arguments[1]) if len(arguments) > 1 else None
        query = [entity[0], None, [], limit, 0, None, []]
        if command == "count":
            print(Reader(client.call("Count", pack(query))[0][0]).value())
        else:
            messages, trailers = client.call("Fetch", pack([query, None, None]))
            rows = 0
            for message in messages:
                batch = Reader(message).items()[0]
                rows += len(batch.rows)
                show(entity, batch)
            if trailers.get("rows") != rows:
                raise Bad("END says %s rows, %d came" % (trailers.get("rows"), rows))
    elif command == "insert":
        version, entity = client.entity(arguments[0])
        ids = {p[1]: p[0] for p in entity[2]}
        pairs = [argument.split("=", 1) for argument in arguments[1:]]
        operation = [1, entity[0], [ids[n] for n, _ in pairs],
                     [from_json(json.loads(v)) for _, v in pairs]]
        messages, _ = client.call("Write", pack([[operation], version, "client.py"]))
        print(json.dumps(to_json(Reader(messages[0]).value())))
    else:
        raise SystemExit(__doc__)
    return 0


# ---------------------------------------------------------------- bad cases against a server

SETUPS = {
    "new": b"",
    "preface": MAGIC + b"\x01\x01\0\0",
    "ready": MAGIC + b"\x01\x01\0\0" + frame(HELLO, pack(Map())),
}
SETUPS["open"] = SETUPS["ready"] + frame(REQUEST, head(METHODS["Echo"]), 1)


def reaction(url, data):
    """What the server does about the bytes, in the words of the table."""
    client = Client(url, hello=False)
    client.socket.settimeout(2)
    client.socket.sendall(data)
    # After the case itself a PING: an answer to it shows that the connection lives.
    try:
        client.socket.sendall(frame(PING, b"stillthe"))
        if len(client.buffer) < 8:
            client.more()
        while len(client.buffer) < 8:
            client.more()
        if client.buffer[:1] != MAGIC[:1]:
            return "HTTP" if client.buffer[:4] == b"HTTP" else "CLOSE"
        preface, client.buffer = client.buffer[:8], client.buffer[8:]
        if preface[4] == 0:
            return "VERSION"
        seen = "CLOSE"
        while True:
            parsed = split(client.buffer)
            if not parsed:
                client.more()
                continue
            (kind, flags, stream, payload), size = parsed
            client.buffer = client.buffer[size:]
            if kind == GOAWAY:
                return "GOAWAY %d/%d" % (payload[4], struct.unpack("<H", payload[6:8])[0])
            if kind == END and payload:
                seen = "END %d/%d" % (payload[0], struct.unpack("<H", payload[2:4])[0])
            if kind == PING and flags & FLAGS["ACK"]:
                return seen if seen != "CLOSE" else "IGNORE"
    except (Bad, ConnectionError):
        return "CLOSE"
    except socket.timeout:
        return "SILENCE"


def send_invalid(url, folder):
    bad = count = 0
    for number, (name, receiver, setup, form, expected) in lines(
            os.path.join(folder, "frames.txt")):
        if receiver != "server":
            continue
        count += 1
        got = reaction(url, SETUPS[setup] + unhex(form))
        if got != expected:
            bad += 1
            print("%d: %s: %s instead of %s" % (number, name, got, expected))
    run(url, "echo", [])
    print("invalid frames: %d, %d with another reaction" % (count, bad))
    return bad


def main():
    arguments = sys.argv[1:]
    if len(arguments) >= 2 and arguments[0] == "--vectors":
        fill = "--fill" in arguments
        bad = check_values(arguments[1], fill) + check_frames(arguments[1], fill)
        sys.exit(1 if bad + check_invalid_values(arguments[1]) else 0)
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    try:
        sys.exit(1 if run(arguments[0], arguments[1], arguments[2:]) else 0)
    except (Bad, Status, OSError) as error:
        sys.exit("client.py: %s" % error)


if __name__ == "__main__":
    main()
