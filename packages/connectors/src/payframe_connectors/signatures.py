"""Signatures of the acquirer protocol: HMAC with SHA-256, by one secret, or by two while they are rotated."""

import base64
import binascii
import hashlib
import hmac

CLOCK_TOLERANCE_SECONDS = 300


class Secrets:
    """One secret, or two."""

    def __init__(self, text: str) -> None:
        """Reads the lines of a secret file. Raises `ValueError`, without the text, if they can not be used."""
        try:
            keys = [base64.b64decode(line.removeprefix("whsec_"), validate=True) for line in text.split()]
        except binascii.Error:
            keys = []
        if not 1 <= len(keys) <= 2 or any(len(key) < 24 for key in keys):
            raise ValueError("needs one or two lines: whsec_ and at least 24 bytes in base64")
        self._keys = keys

    def sign(self, message: bytes) -> str:
        """The value of the header with the signatures."""
        return " ".join("v1," + mac.decode() for mac in self._macs(message))

    def have_signed(self, message: bytes, header: str) -> bool:
        """Whether one of the signatures of a header is right."""
        given = [one.removeprefix("v1,").encode() for one in header.split(" ") if one.startswith("v1,")]
        return any(hmac.compare_digest(one, mac) for one in given for mac in self._macs(message))

    def _macs(self, message: bytes) -> list[bytes]:
        return [base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()) for key in self._keys]
