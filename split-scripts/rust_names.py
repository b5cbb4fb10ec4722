"""Renames Rust modules and items by the paths that name them: imports are resolved, so a word that means something else stays.

Text only: what it gets wrong does not compile, and no test depends on it. Strings are left alone.
"""
import re
from tree import *

IDENT = r"[A-Za-z_]\w*"
ITEM = r"(?:struct|enum|trait|type|const|static|fn|union)"


class Workspace:
    def __init__(self):
        self.blanked, self.trees, self.roots = {}, {}, set()
        self.crates = {}  # folder -> crate name in paths
        for manifest in files("Cargo.toml"):
            name = re.search(r'^\[package\]\nname = "([^"]+)"', read(manifest), re.M)
            if name:
                self.crates[manifest.removesuffix("Cargo.toml")] = name.group(1).replace("-", "_")
        self.load()

    def load(self):
        self.module = {}  # file -> module path as a tuple
        self.text = {}
        for path in files(".rs"):
            folder = max((f for f in self.crates if path.startswith(f)), key=len)
            rest = path[len(folder):]
            root = self.crates[folder]
            if rest.startswith("src/"):
                inner = rest[4:-3].split("/")
            else:  # each test file, and what lies beside it, is a crate of its own
                inner = rest[:-3].split("/")
                root, inner = f"{root}/{inner[0]}", inner[1:]
            if inner[-1] in ("mod", "lib", "main"):
                inner = inner[:-1]
            self.module[path] = (root, *inner)
            self.text[path] = read(path)
        self.load_names()

    def code(self, text):
        """The text with comments and strings blanked, so that positions stay."""
        if text not in self.blanked:
            self.blanked[text] = self.blank(text)
        return self.blanked[text]

    @staticmethod
    def blank(text):
        return "".join(piece if kind == "code" else re.sub(r"[^\n]", " ", piece) for kind, piece in parts(text))

    def inline(self, path, code):
        """Spans of `mod x { … }` in a file: there `super` is the file itself."""
        spans = []
        for found in re.finditer(rf"\bmod\s+{IDENT}\s*\{{", code):
            depth, at = 1, found.end()
            while depth and at < len(code):
                depth += {"{": 1, "}": -1}.get(code[at], 0)
                at += 1
            spans.append((found.end(), at))
        return spans

    def absolute(self, path, segments, scope=None, depth=0):
        """Where a path leads. `scope`: names imported by the file. `depth`: how many inline modules are around it."""
        here = (*self.module[path], *["#"] * depth)
        head = segments[0]
        if head == "crate":
            out = (here[0], *segments[1:])
        elif head == "self":
            out = (*self.module[path], *segments[1:])
        elif head == "super":
            up = 0
            while up < len(segments) and segments[up] == "super":
                up += 1
            out = (*(s for s in here[:len(here) - up] if s != "#"), *segments[up:])
        elif scope and head in scope:
            out = (*scope[head], *segments[1:])
        elif head in self.crates.values():
            out = tuple(segments)
        else:
            out = (*self.module[path], *segments)
        return self.real(out)

    def real(self, path):
        """Follows `pub use`."""
        for _ in range(5):
            for length in range(len(path), 1, -1):
                if path[:length] in self.alias and self.alias[path[:length]] != path[:length]:
                    path = (*self.alias[path[:length]], *path[length:])
                    break
            else:
                break
        return path

    def imports(self, path, text):
        """Of each name in a `use`: (positions and segments, absolute path, whether visible outside, name here)."""
        if text not in self.trees:
            code = self.code(text)
            spans = self.inline(path, code)
            self.trees[text] = []
            for use in re.finditer(r"(pub(?:\([^)]*\))?\s+)?\buse\s+([^;]+);", code):
                depth = sum(a <= use.start() < b for a, b in spans)
                self.trees[text] += self.tree(path, use.group(2), use.start(2), (), bool(use.group(1)) and depth == 0, depth)
        for whole, segments, visible, name, depth in self.trees[text]:
            yield whole, self.absolute(path, segments, None, depth), visible, name

    def tree(self, path, text, at, prefix, visible, depth_of_module):
        """Walks one use tree."""
        depth, start = 0, 0
        pieces = []
        for index, letter in enumerate(text):
            if letter == "{":
                depth += 1
            elif letter == "}":
                depth -= 1
            elif letter == "," and depth == 0:
                pieces.append((start, index))
                start = index + 1
        pieces.append((start, len(text)))
        for start, end in pieces:
            piece = text[start:end]
            if not piece.strip():
                continue
            brace = piece.find("{")
            lead = piece if brace < 0 else piece[:brace]
            alias = re.search(rf"\bas\s+({IDENT})", lead) if brace < 0 else None
            names = [(at + start + m.start(), m.group()) for m in re.finditer(rf"{IDENT}|\*", lead[: alias.start()] if alias else lead)]
            if brace >= 0:
                close = piece.rfind("}")
                yield from self.tree(path, piece[brace + 1:close], at + start + brace + 1, (*prefix, *names), visible, depth_of_module)
                continue
            whole = (*prefix, *names)
            segments = [n for _, n in whole]
            if segments[-1] == "self" and len(segments) > 1:
                segments, whole = segments[:-1], whole[:-1]
            yield whole, segments, visible, alias.group(1) if alias else segments[-1], depth_of_module

    def brings(self, module, target, depth=0):
        """Whether a glob of a module brings in the target: its own, imported, or by a glob in its turn."""
        module = self.real(module)
        if module == target[:-1]:
            return True
        if (module, target[-1]) in self.imported:
            return self.imported[module, target[-1]] == target
        return depth < 4 and any(self.brings(g, target, depth + 1) for g in self.globs.get(module, []) if g != module)

    def find_item(self, suffix):
        """`life::Denial` -> (module path, name), wherever the module lies."""
        *module, name = suffix.split("::")
        found = []
        for path, whole in self.module.items():
            if list(whole[-len(module):]) == module and re.search(rf"^(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?{ITEM}\s+{name}\b", self.text[path], re.M):
                found.append((*whole, name))
        if len(found) != 1:
            fail(f"{suffix}: found {found or 'nowhere'}")
        return found[0]

    def find_module(self, suffix):
        module = suffix.split("::")
        found = [whole for whole in self.module.values() if list(whole[-len(module):]) == module]
        if len(found) != 1:
            fail(f"module {suffix}: found {found or 'nowhere'}")
        return found[0]

    def places(self, path, target):
        """Positions in a file where the last segment of `target` is named."""
        text = self.text[path]
        code = self.code(text)
        spans = self.inline(path, code)
        scope, globs, at = {}, [], set()
        name = target[-1]
        module = self.module[path]
        for whole, absolute, _, here in self.imports(path, text):
            if here == "*":
                globs.append(absolute[:-1])
                continue
            scope[here] = absolute
        # 1. In imports: the segment at which the path reaches the target.
        covered = []
        for use in re.finditer(r"\buse\s+[^;]+;", code):
            covered.append(use.span())
        for whole, absolute, _, _ in self.imports(path, text):
            segments = [n for _, n in whole]
            for index, (position, segment) in enumerate(whole):
                depth = sum(a <= position < b for a, b in spans)
                if segment == name and self.absolute(path, segments[: index + 1], None, depth) == target:
                    at.add(position)
        # 2. In code: paths, from their first segment.
        own = module == target[:-1]
        # A glob brings in what its module has and what that module has imported.
        by_glob = any(self.brings(g, target) for g in globs if g != module)
        for found in re.finditer(rf"(?<![\w'$])(?<!(?<!\.)\.)(?:::\s*)?{IDENT}(?:\s*::\s*{IDENT})*", code):
            if any(a <= found.start() < b for a, b in covered):
                continue
            before = code[max(0, found.start() - 12):found.start()].rstrip()
            names = [(found.start() + m.start(), m.group()) for m in re.finditer(IDENT, found.group())]
            segments = [n for _, n in names]
            for index, (position, segment) in enumerate(names):
                if segment != name:
                    continue
                # What stands behind `as Trait>::` or another path was cut off by the expression: not ours.
                if index == 0:
                    if found.group().startswith("::") or before.endswith("::"):
                        continue
                    local = (name in scope and self.real(scope[name]) == target) or (own and name not in scope) or (by_glob and name not in scope)
                    if local and (name[0].isupper() or self.call_or_path(code, position, name, before, target in self.module.values())):
                        at.add(position)
                else:
                    depth = sum(a <= position < b for a, b in spans)
                    if self.absolute(path, segments[: index + 1], scope, depth) == target:
                        at.add(position)
        # 3. In comments: links in backticks.
        offset = 0
        for kind, piece in parts(text):
            if kind == "comment":
                for found in re.finditer(rf"`((?:{IDENT}::)*)({name})\b((?:::{IDENT})*(?:\(\))?)`", piece):
                    prefix = [s for s in found.group(1).split("::") if s]
                    position = offset + found.start(2)
                    if not prefix:
                        # Lower-case words are named by links only; `[`word`]`.
                        link = piece[found.start() - 1:found.start()] == "["
                        if (own or by_glob or name in scope and self.real(scope[name]) == target) and (name[0].isupper() or name.isupper() or link):
                            at.add(position)
                    elif self.absolute(path, [*prefix, name], scope) == target:
                        at.add(position)
            offset += len(piece)
        return sorted(p for p in at if text[p:p + len(name)] == name)

    @staticmethod
    def call_or_path(code, position, name, before, is_module):
        """A lower-case word counts where it is called, a path's head, a `mod` or a `fn`: not where it is a field or a variable."""
        after = code[position + len(name):].lstrip()
        if is_module:
            return before.endswith((" mod", "\nmod")) or before == "mod" or after.startswith("::")
        if before.endswith((" mod", "\nmod", " fn", "\nfn")) or before in ("mod", "fn"):
            return True
        return after.startswith(("::", "(")) or after[:3] in ("::<",) or before.endswith(("(", ",", "map")) and after.startswith((")", ","))

    def put(self, path, positions, old, new):
        text = self.text[path]
        for position in reversed(positions):
            text = text[:position] + new + text[position + len(old):]
        write(path, text)
        self.text[path] = text

    def item(self, suffix, new, least=2):
        target = self.find_item(suffix)
        old = target[-1]
        total = 0
        for path in list(self.text):
            if old in self.text[path]:
                positions = self.places(path, target)
                if positions:
                    total += len(positions)
                    self.put(path, positions, old, new)
        if total < least:
            fail(f"{suffix}: only {total} places")
        print(f"  {'::'.join(target)} -> {new}: {total}")
        self.load_names()

    def load_names(self):
        self.alias, self.imported, self.globs = {}, {}, {}
        for path, text in self.text.items():
            for _, absolute, visible, renamed in self.imports(path, text):
                if renamed == "*":
                    self.globs.setdefault(self.module[path], []).append(absolute[:-1])
                    continue
                self.imported[self.module[path], renamed] = absolute
                if visible:
                    self.alias[(*self.module[path], renamed)] = absolute
        self.imported = {key: self.real(value) for key, value in self.imported.items()}

    def rename_module(self, suffix, new):
        target = self.find_module(suffix)
        old = target[-1]
        total = 0
        paths = [p for p, m in self.module.items() if m == target]
        if len(paths) != 1:
            fail(f"module {suffix}: {paths}")
        for path in list(self.text):
            if re.search(rf"\b{old}\b", self.text[path]):
                positions = self.places(path, target)
                if positions:
                    total += len(positions)
                    self.put(path, positions, old, new)
        file = paths[0]
        parent = [p for p, m in self.module.items() if m == target[:-1]]
        if sum(len(re.findall(rf"\bmod {new};", self.text[p])) for p in parent) != 1:
            fail(f"module {suffix}: `mod {new};` is not in {parent}")
        moves = {}
        if file.endswith("/mod.rs"):
            folder = file.removesuffix("/mod.rs")
            moves[folder] = folder.rsplit("/", 1)[0] + "/" + new
        else:
            moves[file] = file.rsplit("/", 1)[0] + f"/{new}.rs"
            if (ROOT / file.removesuffix(".rs")).is_dir():
                moves[file.removesuffix(".rs")] = file.rsplit("/", 1)[0] + "/" + new
        for a, b in moves.items():
            if (ROOT / b).exists():
                fail(f"{b} is there already")
            move(a, b)
        print(f"  module {'::'.join(target)} -> {new}: {total}")
        self.load()
        # Paths in documents, comments and the tests' own lists.
        for path in git("ls-files").splitlines():
            if path.endswith((".md", ".rs", ".mjs", ".js", ".toml", ".json", ".ts", ".html", ".css")) and path != "CHANGELOG.md" and (ROOT / path).is_file():
                text = changed = read(path)
                for a, b in moves.items():
                    end = r"(?=[/`\s])" if not a.endswith(".rs") else r"\b"
                    changed = re.sub(re.escape(a) + end, b, changed)
                    # Short forms in tables of documents.
                    short, now = a.removeprefix("gateway/src/"), b.removeprefix("gateway/src/")
                    if short != a and "/" in short:
                        changed = re.sub(rf"(?<![\w/])`{re.escape(short)}`", f"`{now}`", changed)
                if changed != text:
                    write(path, changed)
        self.load()
