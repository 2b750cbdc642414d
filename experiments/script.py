"""How a script of this folder ends when something is wrong with what it was given: one message, exit code 2."""

import sys
from collections.abc import Callable

from mingpai.core.errors import MingpaiError


def as_script(main: Callable[[], None]) -> None:
    try:
        main()
    except MingpaiError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
