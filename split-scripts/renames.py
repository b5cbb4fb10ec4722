"""The words of the rename scripts: what is not there or has its new name already is said, not guessed."""
from rust_names import *

w = None


def start():
    global w
    w = Workspace()
    return w


def item(suffix, new):
    """Renames, unless another change has given the thing its new name."""
    *module, old = suffix.split("::")
    try:
        w.find_item(suffix)
    except SystemExit:
        try:
            w.find_item("::".join([*module, new]))
        except SystemExit:
            print(f"  LEFT OUT: {suffix} is not there (moved or renamed by another change?)")
            return
        print(f"  {suffix}: is {new} already")
        return
    # A name that is taken in the same file would change what the other one means.
    home = [p for p, m in w.module.items() if list(m[-len(module):]) == module]
    for path in home:
        if re.search(rf"\b{new}\b", w.code(w.text[path])):
            fail(f"{suffix}: {new} is taken in {path}")
    w.item(suffix, new)


def module(suffix, new):
    try:
        w.find_module(suffix)
    except SystemExit as stop:
        if "nowhere" not in str(stop):
            raise
        print(f"  LEFT OUT: module {suffix} is not there")
        return
    w.rename_module(suffix, new)


def method(old, new, home, under="", but=()):
    """A method by its name, where `.name(` means nothing else. `home` is the file that declares it, by the end of its path."""
    name = home.removeprefix("gateway/src/")
    declared = [p for p in files(".rs") if (p == name or p.endswith("/" + name)) and re.search(rf"\bfn {old}\b", read(p))]
    if len(declared) != 1:
        fail(f"method {old}: declared in {declared or 'no file like ' + name}")
    total = 0

    def change(piece):
        nonlocal total
        piece, count = re.subn(rf"(?<=\.){old}(?=\()|(?<=::){old}(?=[(`])", new, piece)
        total += count
        return piece

    for path in files(".rs", under):
        if path.startswith(tuple(but) or ("-",)):
            continue
        text = read(path)
        if path in declared and re.search(rf"\bfn {new}\b", text):
            fail(f"method {old}: {new} is taken in {path}")
        if path in declared:
            text = re.sub(rf"\bfn {old}\b", f"fn {new}", text)
        text = "".join(change(piece) if kind != "string" else piece for kind, piece in parts(text))
        if text != read(path):
            write(path, text)
    if total < 1:
        fail(f"method {old}: nobody calls it")
    print(f"  {old}() -> {new}(): {total}")
    w.load()


def local(old, new, under):
    """A variable, in code only, where the new name is free."""
    total = 0
    for path in files(".rs", under):
        code = w.code(read(path))
        if re.search(rf"\b{old}\b", code) and re.search(rf"\b{new}\b", code):
            fail(f"variable {old}: {new} is taken in {path}")
        total += in_rust([path], lambda piece: re.sub(rf"\b{old}\b", new, piece), ("code",))
    print(f"  variable {old} -> {new}: {total} files")
    w.load()
