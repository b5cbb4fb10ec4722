"""Edits of a checkout that fail loudly. Used by the numbered scripts; knows nothing of what they rename."""
import re, subprocess, sys
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else sys.exit("usage: SCRIPT CHECKOUT")


def fail(text):
    sys.exit(f"STOPPED: {text}\n(undo with: git -C {ROOT} reset --hard && git -C {ROOT} clean -nd)")


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True, text=True).stdout


def clean():
    """Only on a clean tree, so that what goes wrong is undone by a reset."""
    if git("status", "--porcelain", "--untracked-files=no").strip():
        fail("the tree has changes; commit them first")


def files(end=".rs", under=""):
    return [p for p in git("ls-files").splitlines() if p.endswith(end) and p.startswith(under) and (ROOT / p).is_file()]


def find(suffix):
    """The one tracked file whose path ends so, wherever it lies."""
    found = [p for p in git("ls-files").splitlines() if p == suffix or p.endswith("/" + suffix)]
    if len(found) != 1:
        fail(f"{suffix}: found {found or 'nowhere'}")
    return found[0]


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def write(path, text):
    target = ROOT / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def move(old, new):
    (ROOT / new).parent.mkdir(parents=True, exist_ok=True)
    git("mv", old, new)


def edit(path, old, new, count=1):
    text = read(path)
    if text.count(old) != count:
        fail(f"{path}: expected {count} times, found {text.count(old)}: {old!r}")
    write(path, text.replace(old, new))


TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*)|(?P<block>/\*.*?\*/)"""
    r"""|(?P<raw>\b(?:b|c)?r(?P<hash>\#*)".*?"(?P=hash))|(?P<string>\b[bc]?"(?:\\.|[^"\\])*"|"(?:\\.|[^"\\])*")"""
    r"""|(?P<char>'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\])')""",
    re.S,
)


def parts(text):
    """Rust text as (kind, text): code, comment, string."""
    at = 0
    for found in TOKEN.finditer(text):
        if found.start() > at:
            yield "code", text[at:found.start()]
        kind = "comment" if found.lastgroup in ("comment", "block") else "string"
        if found.group("comment") or found.group("block"):
            kind = "comment"
        yield kind, found.group()
        at = found.end()
    if at < len(text):
        yield "code", text[at:]


def in_rust(paths, change, kinds=("code", "comment")):
    """Applies `change` to those parts of Rust files. Answers how many files changed."""
    changed = 0
    for path in paths:
        text = read(path)
        new = "".join(change(piece) if kind in kinds else piece for kind, piece in parts(text))
        if new != text:
            write(path, new)
            changed += 1
    return changed


def sort_behaviours():
    """docs/behaviours.md lists the tests of each behaviour in order of their paths."""
    def row(line):
        found = re.match(r"^(\|.*\| )((?:`[^`]+`, )+`[^`]+`)( \|)$", line)
        return found.group(1) + ", ".join(sorted(found.group(2).split(", "))) + found.group(3) if found else line
    text = read("docs/behaviours.md")
    write("docs/behaviours.md", "\n".join(row(line) for line in text.split("\n")))


def edit_prose(path, old, new):
    """A sentence that another change may have rewritten: then it is left, and said."""
    if read(path).count(old) == 1:
        edit(path, old, new)
    else:
        print(f"  LEFT OUT: {path} does not say {old!r}; see to it by hand")
