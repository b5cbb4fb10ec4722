"""The native part of the library.

The library's package on PyPI has its native part for macOS on arm64 alone. Its publisher's package on npm has those
for Linux. This puts one of them beside the library's modules, from the archive that `npm pack` makes, of the one
version and the one sum that this adapter was tested with.
"""

import base64
import hashlib
import importlib.util
import platform
import sys
import tarfile
from pathlib import Path

ARCHIVE = "hyperswitch-prism@0.4.0"
_SHA512 = "9vcIKppuc1XwbJAQ8iEhvpXxDH64FO9mKoJJn0/Ba8TQvLVRISQTtpPLt/XJsr8qqSUqEoFj8/BW/xA2o41BHw=="
_FOLDERS = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}
_NAME = "libconnector_service_ffi.so"


class NativeError(Exception):
    """The native part can not be put there."""


def install(archive: Path) -> Path:
    """Puts the native part for this machine into the installed library, and returns its path."""
    folder = _FOLDERS.get(platform.machine())
    if sys.platform != "linux" or folder is None:
        raise NativeError("the archive has native parts for Linux on x86_64 and aarch64")
    spec = importlib.util.find_spec("payments")
    if spec is None or not spec.submodule_search_locations:
        raise NativeError("the library is not installed: pip install hyperswitch-prism")
    try:
        with archive.open("rb") as file:
            digest = hashlib.file_digest(file, "sha512").digest()
        if base64.b64encode(digest).decode() != _SHA512:
            raise NativeError(f"this is not the archive of {ARCHIVE}: its SHA-512 is another one")
        with tarfile.open(archive) as files:
            member = files.extractfile(f"package/dist/src/payments/generated/{folder}/{_NAME}")
            if member is None:
                raise NativeError("the archive has no native part")
            place = Path(spec.submodule_search_locations[0]) / "generated" / _NAME
            place.write_bytes(member.read())
    except OSError as problem:
        raise NativeError(f"{archive}: {problem.strerror}") from None
    return place
