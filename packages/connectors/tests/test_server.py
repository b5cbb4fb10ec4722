"""Nobody but the gateway is heard, and no card is left behind."""

import base64
import json
import secrets
import time
from pathlib import Path

import httpx
import pytest
from conftest import Stage
from gateway_side import APPROVED, Gateway, authorize, new_reference


def body(reference: str) -> bytes:
    return json.dumps(authorize(reference)).encode()


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"signature": "v1,"}, 401),
        ({"signature": "v1," + "A" * 43 + "="}, 401),
        ({"timestamp": str(int(time.time()) - 360)}, 401),
        ({"timestamp": str(int(time.time()) + 360)}, 401),
        ({"timestamp": "soon"}, 401),
        ({"protocol": "2"}, 400),
    ],
)
def test_a_forged_or_old_request_is_refused(stage: Stage, change: dict[str, str], status: int) -> None:
    reference = new_reference()
    assert stage.gateway.post("authorize", body(reference), **change).status_code == status
    assert stage.processor.asked == []
    assert not stage.gateway.inquire(reference)["known"]


def test_one_valid_signature_among_several_is_enough(stage: Stage) -> None:
    gateway, reference = stage.gateway, new_reference()
    request_id, timestamp = secrets.token_hex(16), str(int(time.time()))
    signature = gateway.sign(f"request\n{request_id}\n{timestamp}\nPOST\n/main/authorize\n", body(reference))
    headers = {
        "payframe-protocol": "1",
        "payframe-id": request_id,
        "payframe-timestamp": timestamp,
        "payframe-signature": f"v1,{'A' * 43}= {signature}",
    }
    url = f"{gateway.url}/authorize"
    assert httpx.post(url, content=body(reference), headers=headers, trust_env=False).status_code == 200


@pytest.mark.parametrize("what", [b"", b"{", b"[]", b"null", b'{"reference":5}', b"[" * 60_000, b'{"reference":""}'])
def test_what_can_not_be_read_does_no_harm(stage: Stage, what: bytes) -> None:
    assert stage.gateway.post("authorize", what).status_code in (400, 500)
    assert stage.processor.asked == []
    assert stage.gateway.pay(new_reference())["result"] == "APPROVED"


def test_another_secret_is_not_heard(stage: Stage) -> None:
    stranger = Gateway(
        str(stage.gateway.url),
        "whsec_" + base64.b64encode(b"another secret of thirty-two bytes").decode(),
    )
    assert stranger.post("authorize", body(new_reference())).status_code == 401
    stranger.close()


def test_no_card_is_left_behind(stage: Stage, tmp_path: Path) -> None:
    def fail(_asked: str) -> None:
        raise RuntimeError(f"the card {APPROVED} with 123")

    stage.gateway.pay(new_reference())
    stage.processor.says = fail  # type: ignore[assignment]
    assert stage.gateway.post("authorize", body(new_reference())).status_code == 500
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir()) + "\n".join(stage.log).encode()
    assert b"RuntimeError" in kept
    for secret in (APPROVED, APPROVED[-6:], "Rossi"):
        assert secret.encode() not in kept
