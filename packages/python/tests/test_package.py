"""What the package promises about itself: one dependency, no effects of an import, current types."""

from __future__ import annotations

import ast
import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import httpx
import make_types
import pytest
from stage import API_KEY, Answer, Stage

import payframe

FOLDER = Path(__file__).parents[1]
SOURCES = sorted((FOLDER / "src").rglob("*.py"))


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_the_sources_import_nothing_but_the_standard_library_httpx_and_each_other() -> None:
    known = {*sys.stdlib_module_names, "httpx", "payframe"}
    for source in SOURCES:
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= known, source
    assert re.findall(r"^dependencies = (.*)$", _read("pyproject.toml"), re.MULTILINE) == ['["httpx>=0.27,<1"]']


def test_every_module_says_what_it_is() -> None:
    for source in [*SOURCES, *(FOLDER / "tests").rglob("*.py"), *(FOLDER / "example").glob("*.py")]:
        assert ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))), source


def test_the_licences_are_those_of_the_project() -> None:
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert _read(name) == _read(f"../../{name}")


def test_the_types_are_those_of_the_document() -> None:
    document = json.loads(make_types.DOCUMENT.read_text(encoding="utf-8"))
    for name, text in make_types.modules(document).items():
        assert _read(f"src/payframe/types/{name}") == text, f"{name} is not current: run tools/make_types.py"


def test_what_is_exported_is_there() -> None:
    assert sorted(payframe.__all__) == payframe.__all__
    assert all(hasattr(payframe, name) for name in payframe.__all__)


def test_an_import_reads_no_environment_and_starts_nothing() -> None:
    script = (
        "import httpx, logging, os, threading\n"
        "before = (dict(os.environ), threading.active_count(), list(logging.root.handlers))\n"
        "class Closed(dict):\n    def __getitem__(self, name): raise AssertionError(name)\n    get = __getitem__\n"
        "os.environ = Closed()\n"
        "import payframe\n"
        "assert before[1:] == (threading.active_count(), logging.root.handlers)\n"
    )
    python_path = {"PYTHONPATH": str(FOLDER / "src")}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=python_path, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", ["threads", "asyncio"])
def test_nothing_is_logged(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    Stage(kind, [Answer()]).run(lambda p: p.sessions.read("a-secret-session"))  # type: ignore[arg-type]
    shown = [record.getMessage() for record in caplog.records if record.name.partition(".")[0] != "asyncio"]
    assert shown == []


def test_the_examples_of_the_readme_run_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers: dict[str, object] = {
        "/api/orders/build": {"sessionId": "s", "form": {"html": "<payment-form>"}},
        "/api/orders/A1B2C3": {
            "orderVersion": "5f2b8c1e",
            "orderStatus": {"order": {"currency": "EUR"}, "authorizedAmount": "3545", "refundedAmount": "0"},
            "operations": [
                {
                    "operationId": "347074400000000001",
                    "operationType": "AUTHORIZATION",
                    "operationResult": "EXECUTED",
                    "operationAmount": "3545",
                }
            ],
        },
        "/api/operations/347074400000000002/refunds": {"operationId": "2"},
        "/api/operations/347074400000000001/captures": {"operationId": "3"},
        "/api/disputes": {"disputes": [{"disputeId": "d", "orderId": "A1B2C3"}], "hasMore": False},
        "/api/disputes/d/files": {"fileId": "f"},
        "/api/disputes/d/evidence": {"disputeId": "d", "state": "UNDER_REVIEW"},
        "/api/settlements": {"settlements": [{"settlementId": "5", "openDifferences": 1}]},
        "/api/settlements/5": {"lines": [{"line": 2}, {"line": 3, "difference": "NOT_IN_BOOKS"}]},
    }
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "A1B2C3.pdf").write_bytes(b"%PDF-")
    monkeypatch.chdir(tmp_path)
    called: list[str] = []

    def handle(_: httpx.HTTPTransport, request: httpx.Request) -> httpx.Response:
        called.append(request.url.path)
        return httpx.Response(200, json=answers[request.url.path])

    monkeypatch.setattr(httpx.HTTPTransport, "handle_request", handle)
    monkeypatch.setenv("PAYFRAME_API_KEY", API_KEY)
    blocks = re.findall(r"^```python\n(.*?)^```", _read("README.md"), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 4
    names: dict[str, object] = {}
    exec(compile("\n".join(blocks), "README.md", "exec"), names)
    assert sorted(set(called)) == sorted(answers)
    assert names["html"] == "<payment-form>"
    assert "5 3 NOT_IN_BOOKS None" in capsys.readouterr().out
    assert names["order"]["status"] == "PAID"  # type: ignore[index]
    names["payframe"].close()  # type: ignore[attr-defined]
