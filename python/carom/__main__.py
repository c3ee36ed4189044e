"""The `carom` command."""

from __future__ import annotations

import signal
import sys

from . import _carom


def main() -> None:
    """Runs the command with the words of the shell."""
    # the command hears Ctrl-C itself, and a closed pipe ends it
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_carom.main(["carom", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
