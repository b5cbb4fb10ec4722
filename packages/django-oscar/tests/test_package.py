"""What the package promises about itself: licences, documented modules, settings and migrations that are current."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from django.core.management import call_command

from payframe_oscar.settings import PayframeSettings, settings_of

FOLDER = Path(__file__).parents[1]


def test_the_licences_are_those_of_the_project() -> None:
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert (FOLDER / name).read_bytes() == (FOLDER.parents[1] / name).read_bytes()


def test_every_module_says_what_it_is() -> None:
    for source in [*(FOLDER / "src").rglob("*.py"), *(FOLDER / "tests").rglob("*.py")]:
        assert ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))), source


def test_the_migrations_are_those_of_the_models(transactional_db: None) -> None:
    call_command("makemigrations", "payframe", "--check", "--dry-run", verbosity=0)


def test_the_readme_has_every_setting_and_its_examples_are_good() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    for name in PayframeSettings.__dataclass_fields__:
        assert name.upper() in readme, name
    blocks = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    settings, addresses = blocks
    compile(addresses, "README.md", "exec")
    settings = settings.replace('os.environ.get("PAYFRAME_API_KEY")', '"k"')
    settings = settings.replace('os.environ.get("PAYFRAME_NOTIFICATION_SECRET")', '"whsec_c2VjcmV0LW9mLXRoZS1zaG9w"')
    names: dict[str, dict[str, object]] = {}
    exec(compile(settings, "README.md", "exec"), names)
    assert settings_of(names["PAYFRAME"]).saved_cards
