"""The `opfire` command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from opfire import __version__
from opfire.commands import balance, bench, case, check, data, force, fuzz, records, rules, scenarios, serve, tournament
from opfire.commands.terminal import BAD_INPUT, FAILS, Parser
from opfire.core.errors import OpfireError

COMMANDS = (serve, scenarios, rules, case, records, check, force, data, fuzz, tournament, balance, bench)


def parser() -> Parser:
    """The parser of everything that can be typed after `opfire`."""
    made = Parser(prog="opfire", description="Tactical wargame rulebooks, one engine, a table in the browser.")
    made.add_argument("--version", action="version", version=f"opfire {__version__}")
    commands = made.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    for module in COMMANDS:
        module.register(commands)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; returns its exit status: 0 holds, 1 does not, 2 bad input."""
    args = parser().parse_args(arguments)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except OpfireError as error:
        print(f"opfire: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:  # the reader, `head` perhaps, has seen enough
        sys.stderr.close()
        return FAILS
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
