"""Hosts for the tests, over other people's programs: 1987 is the mock host of iso8583sim, 1993 reads and writes with pyiso8583, and
computes codes with iso8583sim. Ours are the books alone: what was moved, by the number of each message.

    python host.py 1987|1993 [FAULT]

With a fault the host does something wrong, or just takes its time ("slow"), for tests of the examiner. Prints its port. For each line on its input it prints its books as one line of JSON.
"""

import asyncio
import json
import sys
import time

import iso8583
from iso8583sim.net import Framing, MockHost
from iso8583sim.security.mac import generate_mac, verify_mac
from iso8583sim.wire import WireFormat

MAC_KEY = "0123456789ABCDEFFEDCBA9876543210"

# What the issuer says to a network token whose cryptogram is nothing but zeros.
WRONG_CRYPTOGRAM = ("82", "129")

# What the issuer says, by the last two digits of the amount: the codes of 1987 and of 1993.
SAYS = {"51": ("51", "116"), "91": ("91", "907"), "68": ("68", "911"), "10": ("10", "002")}


# With these the host takes its time, so that a message can be interrupted for sure while it has it.
SLOW = ("slow", "refuses-reversals", "refuses-repetitions")


class Books:
    """What was moved. A message with a known number is the same one once more."""

    def __init__(self, version, fault):
        self.version = version
        self.fault = fault
        self.moves = {}
        self.messages = []

    def code(self, of_1987, of_1993):
        return of_1987 if self.version == 1987 else of_1993

    def enter(self, mti, fields):
        """The response code to a message, which is written into the books."""
        number, amount = fields[11], fields.get(4, "0")
        if self.fault in SLOW and mti[1] != "8":
            time.sleep(0.05)
        self.messages.append(f"{mti} {number}")
        if mti[1] == "8":
            is_echo = fields.get(70) == "301"
            return self.code("91", "907") if is_echo and self.fault == "refuses-echoes" else self.code("00", "800")
        if number in self.moves:
            return self.code("12", "904") if self.fault == "refuses-repetitions" else self.moves[number]["code"]
        original = fields.get(90, fields.get(56, ""))[4:10]
        is_reversal = mti[:3] in ("040",) or fields.get(25) == "4021"
        if mti[1] == "4" and is_reversal:
            if self.fault == "refuses-reversals":
                return self.code("12", "904")
            if original not in self.moves:
                return self.code("25", "914")
            self.moves[original]["state"] = "reversed"
            return self.code("00", "400")
        kind = self.kind(mti, fields)
        if self.fault == "refuses-captures" and kind == "capture":
            return self.code("12", "904")
        if self.fault == "approves-anything":
            amount = amount[:-2] + "00"
        refusal = SAYS.get(amount[-2:]) if kind in ("authorization", "sale") else None
        cryptogram = "" if self.fault == "drops-cryptograms" else self.cryptogram(fields)
        if cryptogram and not cryptogram.strip("A="):
            refusal = WRONG_CRYPTOGRAM
        code = self.code(*refusal) if refusal else self.code("00", "400" if mti[1] == "4" else "000")
        held = "declined" if refusal and (refusal is WRONG_CRYPTOGRAM or amount[-2:] in ("51", "91")) else "booked"
        self.moves[number] = {
            "kind": kind, "amount": int(amount), "state": held, "code": code, "original": original, "cryptogram": cryptogram,
            "currency": fields.get(49, ""), "additional": fields.get(54, ""),
        }
        return code

    @staticmethod
    def cryptogram(fields):
        """The cryptogram of a network token: element 43 of field 48, where each element has two digits of a name and two of a length."""
        rest, found = fields.get(48, ""), ""
        while rest:
            name, length = rest[:2], int(rest[2:4])
            found = rest[4 : 4 + length] if name == "43" else found
            rest = rest[4 + length :]
        return found

    @staticmethod
    def kind(mti, fields):
        if mti[1] == "4":
            return "cancel" if fields.get(25) in ("08", "4001") else "release"
        if fields[3].startswith("20"):
            return "refund"
        if mti[2] == "2":
            return "capture"
        return "sale" if mti[1] == "2" else "authorization"


class Host1987(MockHost):
    """The mock host, with books."""

    def __init__(self, books):
        super().__init__(wire_format=WireFormat.ascii_hex(), framing=Framing(header="4a"))
        self.books = books

    def build_response(self, request, code):
        code = self.books.enter(request.mti, request.fields)
        response = super().build_response(request, code)
        # A repetition (0401) has the answer of the first message (0410).
        response.mti = response.mti[:3] + "0"
        response.fields[0] = response.mti
        if code == "10" or (self.books.fault == "mixes-amounts" and 4 in request.fields):
            response.fields[4] = "1".zfill(12)
        return response


def specification():
    """The dialect of 1993, as pyiso8583 says it."""
    field = lambda enc, length, kind=0, **more: {
        "data_enc": enc, "len_enc": "bcd", "len_type": kind, "max_len": length, "desc": "", **more,
    }
    digits = lambda length, kind=0: field("b", length, kind, len_count="nibbles", left_pad="0")
    text = lambda length, kind=0: field("ascii", length, kind)
    spec = {"h": field("b", 0), "t": field("b", 2), "p": field("b", 8), "1": field("b", 8)}
    spec |= {str(number): text(0) for number in range(2, 129)}
    for number, length in {3: 6, 4: 12, 7: 10, 11: 6, 12: 12, 14: 4, 24: 3, 25: 4, 26: 4, 39: 3, 49: 3}.items():
        spec[str(number)] = digits(length)
    for number, length in {2: 19, 32: 11, 56: 35}.items():
        spec[str(number)] = digits(length, 1)
    for number, length in {22: 12, 37: 12, 38: 6, 41: 8, 42: 15}.items():
        spec[str(number)] = text(length)
    spec["43"], spec["48"], spec["54"] = text(99, 1), text(999, 2), text(120, 2)
    spec["64"] = field("b", 8)
    return spec


class Host1993:
    """Answers with pyiso8583, over the framing of iso8583sim."""

    def __init__(self, books):
        self.books = books
        self.spec = specification()
        self.framing = Framing(header="2b", tpdu=bytes.fromhex("6000010000"))

    async def start(self, host, port):
        self.server = await asyncio.start_server(self.serve, host, port)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            while True:
                tpdu, data = await self.framing.read(reader)
                writer.write(self.framing.frame(self.answer(data)))
                await writer.drain()
        except (EOFError, asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def answer(self, data):
        request, _ = iso8583.decode(data, spec=self.spec)
        if not verify_mac(data[:-8], request["64"], MAC_KEY):
            raise ValueError("wrong code")
        fields = {int(name): value for name, value in request.items() if name.isdigit()}
        code = self.books.enter(request["t"], fields)
        echoed = (2, 3, 4, 7, 11, 12, 37, 41, 42, 49)
        answer = {str(number): fields[number] for number in echoed if number in fields}
        mti = request["t"]
        # A repetition (1221) has the answer of the first message (1230).
        mti = mti[:2] + {"0": "1", "2": "3"}[mti[2]] + mti[3].replace("1", "0")
        answer |= {"t": mti, "39": code, "64": "0" * 16}
        if code == "000":
            answer["38"] = "A" + fields[11][-5:]
        if code == "002":
            answer["4"] = "1".zfill(12)
        encoded, _ = iso8583.encode(answer, spec=self.spec)
        return bytes(encoded[:-8]) + bytes.fromhex(generate_mac(bytes(encoded[:-8]), MAC_KEY))


async def main():
    version = int(sys.argv[1])
    books = Books(version, sys.argv[2] if len(sys.argv) > 2 else "")
    host = Host1987(books) if version == 1987 else Host1993(books)
    await host.start("127.0.0.1", 0)
    print(host.port, flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps({"moves": books.moves, "messages": books.messages}), flush=True)


asyncio.run(main())
