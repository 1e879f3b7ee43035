"""What the page Record asks of the server, beside Streamlit: JSON in, JSON out, under `/table`."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dashboard.tables import Answer, Tables
from dashboard.wishes import Begin, Trouble, Wish

Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9-]{4,64}$")]


class Asking(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Which page asks, about which recording."""

    recording: str
    writer: Id
    order: int = 0
    """What a page asks has higher and higher numbers; 0 where it does not count."""


class Looking(Asking):
    """What changes nothing in a log may come in any order."""


class Opening(Asking):
    """To go on with a recording, with `take` also where another page writes it."""

    take: bool = False


class Entering(Asking):
    """An entry; `sure` answers what was asked about it."""

    id: Id
    text: str
    sure: bool = False
    after: int | None = None
    """The `seq` of the view that it was entered in."""


def table_routes(tables: Tables) -> list[Route]:
    """Return the routes to the recordings of this process."""

    def enter(asked: Entering) -> Answer:
        return tables.enter(
            asked.recording, asked.writer, asked.id, asked.text, sure=asked.sure, after=asked.after
        )

    posts: list[tuple[str, type[Any], Callable[[Any], Answer]]] = [
        ("fit", Wish, tables.fit),
        ("begin", Begin, tables.begin),
        ("open", Opening, lambda asked: tables.open(asked.recording, asked.writer, take=asked.take)),
        ("look", Looking, lambda asked: tables.look(asked.recording, asked.writer)),
        ("enter", Entering, enter),
        ("away", Looking, lambda asked: tables.away(asked.recording, asked.writer)),
        ("finish", Asking, lambda asked: tables.finish(asked.recording, asked.writer)),
        ("keep", Looking, lambda asked: tables.keep(asked.recording)),
        ("leave", Asking, lambda asked: tables.leave(asked.recording, asked.writer)),
    ]

    def in_order(kind: type[Any], do: Callable[[Any], Answer]) -> Callable[[Any], Answer]:
        if not issubclass(kind, Asking) or issubclass(kind, Looking):
            return do
        return lambda asked: tables.in_order(asked.writer, asked.order, lambda: do(asked))

    return [
        Route("/table/listing", _answered(lambda _asked: tables.listing(), None), methods=["GET"]),
        *(
            Route(f"/table/{name}", _answered(in_order(kind, do), kind), methods=["POST"])
            for name, kind, do in posts
        ),
    ]


def _answered(
    do: Callable[[Any], Answer], kind: type[Any] | None
) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        asked = None
        if kind is not None:
            if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return _json({"error": "This takes JSON only."}, 415)
            try:
                asked = msgspec.json.decode(await request.body(), type=kind)
            except (msgspec.MsgspecError, RecursionError, UnicodeError):
                return _json({"error": "This request is not understood."}, 400)
        try:
            return _json(await run_in_threadpool(do, asked))
        except Trouble as trouble:
            return _json({"error": str(trouble), **trouble.told}, trouble.status)

    return answer


_NO_STORE: Final = {"cache-control": "no-store"}


def _json(answer: Answer, status: int = 200) -> Response:
    return Response(msgspec.json.encode(answer), status, _NO_STORE, "application/json")
