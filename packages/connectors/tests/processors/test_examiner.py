"""The gateway's examiner, against the adapter in front of each fake. It needs the gateway's program."""

import os
import subprocess
from pathlib import Path

import pytest
from gateway_side import SECRET

from payframe_connectors.library import Library
from processors.fakes import ById, ByReference, Interface
from processors.stage import make_stage

GATEWAY = os.environ.get("PAYFRAME_GATEWAY", "")


@pytest.mark.parametrize("interface", [ByReference, ById])
def test_the_examiner_passes(tmp_path: Path, library: Library, interface: type[Interface]) -> None:
    assert GATEWAY, "PAYFRAME_GATEWAY must name the gateway's program"
    stage = make_stage(tmp_path, library, interface)
    gateway = stage.start()
    # The other interface has no answer that says so.
    more = 'pending = "4761730000009111"\npartial = "4761730000000102"' if interface is ById else ""
    file = tmp_path / "acquirers.toml"
    file.write_text(f"""
[[acquirer]]
name = "main"
url = "{gateway.url}"
secret_file = "gateway.secret"
test_endpoint = true
[acquirer.test_cards]
terminal = "55000001"
approved = "4761730000000003"
declined = "4761730000001167"
{more}
expiry = "1240"
security_code = "123"
currencies = ["EUR", "JPY", "KWD"]
""")
    (tmp_path / "gateway.secret").write_text(SECRET)
    try:
        done = subprocess.run(
            [GATEWAY, "examine", "--acquirer", str(file), "--test-endpoint"],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        stage.stop()
        stage.fake.shutdown()
        stage.fake.server_close()
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
