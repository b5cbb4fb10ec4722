"""The command `payframe-connectors`."""

import argparse
import fcntl
import ssl
import sys
import time
from pathlib import Path

from .adapter import Adapter
from .connector import Connector
from .exchange import Exchange
from .ledger import Ledger
from .library import CanNotBeAsked, Library, LibraryMissing
from .native import ARCHIVE, NativeError, install
from .processor import Answer, Processor, Result
from .server import Route, Server
from .settings import ProcessorSettings, Settings, SettingsError, read_settings

NO_LIBRARY = f"""the open connector library can not be loaded: {{0}}
On macOS (arm64) it is complete as `pip` installs it. On Linux it needs its native part, and glibc 2.38 or newer:
    npm pack {ARCHIVE}
    payframe-connectors native hyperswitch-prism-0.4.0.tgz"""


def main(arguments: list[str] | None = None) -> None:
    """Runs the command."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except LibraryMissing as problem:
        sys.exit(NO_LIBRARY.format(problem))
    except (SettingsError, NativeError) as problem:
        sys.exit(str(problem))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="payframe-connectors", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, text: str, run: object, *names: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text)
        for positional in names:
            one.add_argument(positional)
        one.set_defaults(run=run)
        return one

    command("list", "Prints the connectors of the library and their options.", _list)
    command("native", "Puts the library's native part for Linux in its place.", _native, "archive")
    command("check", "Says what each processor of the file can be asked. Sends nothing.", _check, "file")
    command("serve", "Serves the gateway.", _serve, "file")
    command("unknown", "Prints the operations whose outcome is not known.", _unknown, "file")
    resolve = command(
        "resolve",
        "Ends an operation whose outcome is not known, after a look into the processor's own pages.",
        _resolve,
        "file",
        "processor",
        "reference",
    )
    ends = resolve.add_mutually_exclusive_group(required=True)
    ends.add_argument("--transaction", help="the processor's id of it: the processor is asked")
    ends.add_argument("--nothing-moved", action="store_true", help="the processor does not know it, for certain")
    return parser


def _list(_options: argparse.Namespace) -> None:
    for name, options in sorted(Library().connectors().items()):
        print(f"{name}: {', '.join(options)}")


def _native(options: argparse.Namespace) -> None:
    print(install(Path(options.archive)))


def _check(options: argparse.Namespace) -> None:
    settings, library = read_settings(Path(options.file)), Library()
    for one in settings.processors:
        processor = connector(library, one)
        print(f"{one.name}: {', '.join(processor.operations)}")
        for is_so, yes, no in (
            (processor.asks_by_reference, "a lost payment is asked about by reference", "a lost payment needs a look"),
            (
                processor.asks_refunds_by_reference,
                "a lost refund is asked about by reference",
                "a lost refund needs a look",
            ),
            (
                processor.repeats_for_seconds > 0,
                "lost requests are repeated with their key",
                "lost requests are not repeated",
            ),
        ):
            print(f"  {yes if is_so else no}")


def _serve(options: argparse.Namespace) -> None:
    settings, library = read_settings(Path(options.file)), Library()
    with settings.database.with_name(settings.database.name + ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise SettingsError(f"{settings.database}: another process serves with it") from None
        ledger = Ledger(settings.database)
        processors: dict[str, tuple[ProcessorSettings, Processor]] = {
            one.name: (one, connector(library, one)) for one in settings.processors
        }
        routes = {
            name: Route(one.secrets, Adapter(name, ledger, processor, _log))
            for name, (one, processor) in processors.items()
        }
        with Server((settings.host, settings.port), routes, _log, _tls(settings)) as server:
            scheme = "https" if settings.certificate else "http"
            for name in routes:
                print(f"{name}: listening on {scheme}://{settings.host}:{server.server_address[1]}/{name}", flush=True)
            server.serve_forever()


def _unknown(options: argparse.Namespace) -> None:
    settings = read_settings(Path(options.file))
    ledger = Ledger(settings.database)
    for one in settings.processors:
        for operation in ledger.unknown(one.name):
            begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(operation.begun_seconds))
            amount = f"{operation.amount_minor} {operation.currency}"
            told = operation.transaction_id or "-"
            print(f"{one.name} {operation.reference} {operation.operation} {amount} since {begun}, transaction {told}")


def _resolve(options: argparse.Namespace) -> None:
    settings = read_settings(Path(options.file))
    one = next((one for one in settings.processors if one.name == options.processor), None)
    if one is None:
        raise SettingsError(f"there is no processor {options.processor} in the file")
    ledger = Ledger(settings.database)
    if options.nothing_moved:
        if not ledger.conclude(one.name, options.reference, Answer(Result.FAILED, "909")):
            raise SettingsError("there is no operation with this reference whose outcome is not known")
        print("FAILED")
        return
    adapter = Adapter(one.name, ledger, connector(Library(), one), _log)
    try:
        print(adapter.link(options.reference, options.transaction))
    except LookupError:
        raise SettingsError("there is no operation with this reference") from None


def connector(library: Library, settings: ProcessorSettings) -> Connector:
    """The processor of a table of the file. Raises `SettingsError` if the library can not ask it."""
    try:
        return Connector(
            library,
            library.options(settings.connector, settings.options, settings.is_live),
            Exchange(settings.answer_seconds, allows_loopback=not settings.is_live),
            takes_several_captures=settings.takes_several_captures,
            idempotency_header=settings.idempotency_header,
            idempotency_hours=settings.idempotency_hours,
            return_url=settings.return_url,
        )
    except ValueError as problem:
        raise SettingsError(f"processor {settings.name}: {problem}") from None
    except CanNotBeAsked as problem:
        raise SettingsError(
            f"processor {settings.name}: a payment by card can not be asked for in one request: {problem}"
        ) from None


def _tls(settings: Settings) -> ssl.SSLContext | None:
    if settings.certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(settings.certificate, settings.key)
    except (OSError, ssl.SSLError):
        raise SettingsError("certificate and key can not be used") from None
    return context


def _log(line: str) -> None:
    print(line, flush=True)
