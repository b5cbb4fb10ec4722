from rust_names import *
import time
w=Workspace()
def show(kind, suffix):
    target = w.find_item(suffix) if kind=="i" else w.find_module(suffix)
    old=target[-1]
    print("==", "::".join(target))
    for path in w.text:
        t=w.text[path]
        if not re.search(rf"\b{old}\b", t): continue
        pos=set(w.places(path,target))
        for m in re.finditer(rf"\b{old}\b", t):
            line=t.count("\n",0,m.start())+1
            src=t.splitlines()[line-1].strip()
            print("  +" if m.start() in pos else "  -", f"{path}:{line}: {src[:120]}")
for a in sys.argv[2:]:
    show(*a.split("=",1))
