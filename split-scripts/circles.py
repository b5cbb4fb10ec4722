"""Import circles between the files of one crate, of code without tests. usage: circles.py CHECKOUT"""
from rust_names import *
import collections
w = Workspace()
mods = set(w.module.values())
edges = collections.defaultdict(set)
top = collections.defaultdict(lambda: collections.defaultdict(int))
for path, text in w.text.items():
    if "tests" in path.split("/") or path.endswith("tests.rs") or "/src/" not in "/" + path: continue
    me = w.module[path]
    cut = re.search(r"#\[cfg\(test\)\]\s*mod ", text)
    for whole, absolute, _, _ in w.imports(path, text[: cut.start()] if cut else text):
        for n in range(len(absolute), 1, -1):
            if absolute[:n] in mods:
                to = absolute[:n]; break
        else: continue
        if to[0] != me[0] or to == me: continue
        if to[:len(me)] == me or me[:len(to)] == to: continue   # parent and child
        edges[me].add(to)
        if to[1] != me[1]: top[me[0]][(me[1], to[1])] += 1
def scc(graph):
    index, low, stack, on, out, n = {}, {}, [], set(), [], [0]
    sys.setrecursionlimit(10000)
    def go(v):
        index[v] = low[v] = n[0]; n[0] += 1; stack.append(v); on.add(v)
        for x in graph.get(v, ()):
            if x not in index: go(x); low[v] = min(low[v], low[x])
            elif x in on: low[v] = min(low[v], index[x])
        if low[v] == index[v]:
            part = []
            while True:
                x = stack.pop(); on.discard(x); part.append(x)
                if x == v: break
            if len(part) > 1: out.append(part)
    for v in list(graph):
        if v not in index: go(v)
    return out
print("files in circles:")
for part in scc(edges): print("  ", len(part), sorted("::".join(p[1:]) for p in part))
for crate, pairs in top.items():
    both = sorted({tuple(sorted(p)) for p in pairs if p[::-1] in pairs})
    if both: print(crate, "modules of the top level that import each other:"); [print(f"   {a} ↔ {b} ({pairs[a,b]} / {pairs[b,a]})") for a, b in both]
