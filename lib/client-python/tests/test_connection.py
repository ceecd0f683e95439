from __future__ import annotations

import asyncio
import logging
import pickle
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tranche_client import AsyncTranche, ConnectionError, ProblemError, Tranche
from tranche_client._model import Model
from tranche_client.models import CreateApiKeyAnswer, RegisterWebhookBody, RevokeApiKeyBody1, UpdateWebhookBody

Answer = Callable[[BaseHTTPRequestHandler], None]
BODY = RegisterWebhookBody(url="https://example.org/hook", events=["investment.confirmed"])
KEY = "sk_secret"


class Platform:
    """A server that gives the answers in their order, the last one again and again."""

    def __init__(self) -> None:
        self.asked: list[BaseHTTPRequestHandler] = []
        self.answers: list[Answer] = []
        platform = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("content-length", 0)))
                platform.asked.append(self)
                one = platform.answers.pop(0) if len(platform.answers) > 1 else platform.answers[0]
                one(self)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def keys(self) -> list[str | None]:
        return [one.headers.get("idempotency-key") for one in self.asked]


@pytest.fixture
def platform() -> Iterator[Platform]:
    one = Platform()
    yield one
    one.server.shutdown()
    one.server.server_close()


def text(status: int, body: str, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        request.send_header("content-length", str(len(body)))
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body.encode())

    return answer


def cut(request: BaseHTTPRequestHandler) -> None:
    request.close_connection = True


def half(request: BaseHTTPRequestHandler) -> None:
    request.send_response(201)
    request.send_header("content-length", "100")
    request.end_headers()
    request.wfile.write(b'{"id":')
    request.close_connection = True


def problem(status: int, code: str, **headers: str) -> Answer:
    return text(status, f'{{"code": "{code}", "detail": "it is {code}", "request_id": "req_1"}}', **headers)


TOKENS = text(200, '{"revoked": true}')
PAGE = '{"projects": [], "next_cursor": null}'
OK = text(200, PAGE)
MADE = text(
    201,
    '{"id": "wh_1", "url": "https://example.org/hook", "events": ["a.later_event"], "project_id": null, '
    '"min_amount_xrp": null, "statuses": null, "active": true, "secret": "whsec_hidden", "a_later_field": 1}',
)


def seen(error: BaseException) -> str:
    chain = [error, error.__cause__, error.__context__]
    return "".join(traceback.format_exception(error)) + repr([(one, vars(one)) for one in chain if one is not None])


def test_a_read_is_asked_again_after_a_cut_connection_and_after_a_failure_of_the_server(platform: Platform) -> None:
    platform.answers = [cut, text(502, "{}"), OK]
    assert Tranche(platform.url).list_projects().projects == []
    assert len(platform.asked) == 3


def test_retry_after_is_heeded_and_a_wait_of_more_than_a_minute_fails_at_once(platform: Platform) -> None:
    platform.answers = [problem(429, "rate_limited", retry_after="1"), OK]
    started = time.monotonic()
    Tranche(platform.url).list_projects()
    assert time.monotonic() - started >= 0.99
    platform.answers = [problem(429, "rate_limited", retry_after="3600")]
    with pytest.raises(ProblemError) as refused:
        Tranche(platform.url).list_projects()
    assert (refused.value.code, refused.value.retry_after) == ("rate_limited", 3600)
    assert len(platform.asked) == 3


def test_a_post_with_an_api_key_is_sent_again_under_one_idempotency_key_each_call_under_a_new_one_or_yours(
    platform: Platform,
) -> None:
    tranche = Tranche(platform.url, api_key=KEY)
    platform.answers = [cut, half, text(202, "{}")]
    with pytest.raises(ConnectionError):
        tranche.register_webhook(BODY)
    first, again, third = platform.keys()
    assert first is not None and len(first) == 36 and first == again == third
    platform.answers = [problem(409, "idempotency_key_in_use", retry_after="0"), text(202, "{}")]
    with pytest.raises(ConnectionError):
        tranche.register_webhook(BODY, idempotency_key="mine")
    assert platform.keys()[3:] == ["mine", "mine"]
    assert {one.headers["authorization"] for one in platform.asked} == {f"Bearer {KEY}"}


def test_what_might_be_done_twice_is_never_sent_again(platform: Platform) -> None:
    platform.answers = [text(503, "")]
    tranche = Tranche(platform.url, api_key=KEY)
    calls: list[Callable[[], object]] = [
        lambda: Tranche(platform.url).register_webhook(BODY),
        lambda: tranche.update_webhook("wh_1", UpdateWebhookBody(active=False)),
        lambda: tranche.revoke_api_key(RevokeApiKeyBody1(api_key="key")),
    ]
    for call in calls:
        with pytest.raises(ProblemError) as refused:
            call()
        assert (refused.value.status, refused.value.code) == (503, None)
    assert platform.keys() == [None, None, None]


def test_a_refusal_is_a_problem_error_at_once(platform: Platform) -> None:
    platform.answers = [problem(409, "conflict")]
    with pytest.raises(ProblemError, match="it is conflict") as refused:
        Tranche(platform.url, api_key=KEY).list_projects()
    error = refused.value
    assert (error.status, error.code, error.request_id) == (409, "conflict", "req_1")
    assert len(platform.asked) == 1


def test_a_redirect_is_not_followed(platform: Platform) -> None:
    platform.answers = [text(307, "", location=f"{platform.url}/elsewhere"), OK]
    with pytest.raises(ProblemError) as refused:
        Tranche(platform.url, api_key=KEY).list_projects()
    assert refused.value.status == 307
    assert len(platform.asked) == 1


def test_no_error_print_or_log_shows_the_api_key_or_a_secret(
    platform: Platform, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    tranche = Tranche(platform.url, api_key=KEY, retries=0)
    slow = Tranche(platform.url, api_key=KEY, retries=0, timeout=0.05)
    found = [repr(tranche), repr(vars(tranche))]
    for client, answer in [
        (tranche, cut),
        (tranche, problem(409, "conflict")),
        (slow, lambda _: time.sleep(0.2)),
        (tranche, text(200, '{"projects": [{"secret": "whsec_hidden"}]}')),
    ]:
        platform.answers = [answer]
        with pytest.raises((ConnectionError, ProblemError)) as failed:
            client.list_projects()
        found.append(seen(failed.value))
    found.append(caplog.text)
    assert len(found) == 7
    for one in found:
        assert KEY not in one and "whsec_hidden" not in one


def test_what_a_later_platform_adds_is_passed_on_and_a_secret_is_not_printed() -> None:
    class Later(Model):
        secret: str

    later = Later.model_validate({"secret": "whsec_hidden", "added": 1})
    assert later.secret == "whsec_hidden" and later.model_extra == {"added": 1}
    assert "whsec_hidden" not in repr(later) + str(later)
    assert "api_key" in CreateApiKeyAnswer.model_fields


def test_the_async_client_retries_lists_and_refuses_as_the_other(platform: Platform) -> None:
    platform.answers = [cut, OK, problem(404, "not_found")]

    async def use() -> None:
        async with AsyncTranche(platform.url, api_key=KEY) as tranche:
            assert [one async for one in tranche.all_projects()] == []
            with pytest.raises(ProblemError) as refused:
                await tranche.get_project("proj_1")
            assert refused.value.code == "not_found"

    asyncio.run(use())
    assert len(platform.asked) == 3


def test_a_path_argument_stays_one_part_of_the_path(platform: Platform) -> None:
    platform.answers = [problem(404, "not_found")]
    with pytest.raises(ProblemError):
        Tranche(platform.url).get_project("../a b?c")
    assert platform.asked[0].path == "/api/projects/..%2Fa%20b%3Fc"


def test_an_error_survives_a_queue_between_processes() -> None:
    error = pickle.loads(pickle.dumps(ProblemError(409, {"code": "conflict"}, None)))
    assert (error.status, error.code) == (409, "conflict")
