"""Stops the adapter whose process id is in a file, if there is one, and starts it: restart.py PID_FILE PORT PROGRAM ARGUMENT…"""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

pid_file, port, program = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]


def is_open():
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", int(port))) == 0


def wait_until(state):
    ends = time.monotonic() + 20
    while is_open() != state:
        if time.monotonic() > ends:
            sys.exit("the adapter does not listen, or does not end")
        time.sleep(0.05)


if pid_file.exists():
    os.kill(int(pid_file.read_text()), signal.SIGKILL)
    wait_until(False)
nothing = subprocess.DEVNULL
started = subprocess.Popen([sys.executable, *program, "--port", port], stdin=nothing, stdout=nothing, stderr=nothing)
pid_file.write_text(str(started.pid))
wait_until(True)
