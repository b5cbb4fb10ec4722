"""`python -m payframe_connectors` is the command `payframe-connectors`."""

from .command_line import main

main()
