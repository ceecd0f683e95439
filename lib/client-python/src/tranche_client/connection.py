from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from types import TracebackType
from typing import Any

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from .operations import AsyncOperations, Operations
from .problem import ConnectionError, ProblemError

_MAX_WAIT_SECONDS = 60
"""A call that must wait longer than this, as Retry-After says, fails at once."""
_STATUSES = frozenset({408, 409, 429, 500, 502, 503, 504})
_PAUSES = frozenset({409, 429, 503})


@lru_cache(maxsize=None)
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)


def _retry_after(response: httpx.Response) -> int | None:
    text: str = response.headers.get("retry-after", "")
    return int(text) if text.isascii() and text.isdigit() else None


def _pause_seconds(attempt: int, response: httpx.Response | None) -> float | None:
    """How long to wait before the call is sent again; None when it must not be."""
    backoff = random.uniform(0, 0.3 * 2**attempt)
    if response is None:
        return backoff
    seconds = _retry_after(response)
    # A conflict passes by itself only where the answer says when; and nobody waits for an hour.
    if response.status_code not in _STATUSES or (response.status_code == 409 and seconds is None):
        return None
    if seconds is None or response.status_code not in _PAUSES:
        return backoff
    return None if seconds > _MAX_WAIT_SECONDS else seconds + random.uniform(0, 0.1)


def _failure(error: httpx.RequestError) -> ConnectionError:
    # What httpx raises holds the request with its headers.
    return ConnectionError(f"{type(error).__name__}: {error}")


def _value(response: httpx.Response, answers: Mapping[int, Any]) -> Any:
    status = response.status_code
    if not response.is_success:
        try:
            problem = response.json()
        except ValueError:
            problem = None
        raise ProblemError(status, problem if isinstance(problem, dict) else {}, _retry_after(response))
    answer = answers.get(status, next(iter(answers.values())))
    if answer is None:
        return None
    try:
        return _adapter(answer).validate_json(response.content)
    except ValidationError as error:
        # The error holds the answer, and with it a secret that the answer shows once.
        places = sorted({".".join(map(str, one["loc"])) or "the whole" for one in error.errors(include_input=False)})
        message = f"The answer with status {status} is not of the form that this client knows: {', '.join(places)}"
    raise ConnectionError(message)


class _Connection:
    def __init__(self, base_url: str, api_key: str | None, retries: int, timeout: float) -> None:
        self._base_url = base_url.rstrip("/")
        self._has_key = api_key is not None
        self._retries = retries
        self._settings: dict[str, Any] = {
            "base_url": self._base_url,
            "timeout": timeout,
            "follow_redirects": False,
            "headers": {} if api_key is None else {"authorization": f"Bearer {api_key}"},
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._base_url!r})"

    def _request(
        self,
        method: str,
        query: Mapping[str, Any] | None,
        body: BaseModel | None,
        idempotent: bool,
        idempotency_key: str | None,
    ) -> tuple[dict[str, Any], int]:
        """Arguments of httpx, and how often the call may be sent again."""
        headers: dict[str, str] = {}
        if idempotent and idempotency_key is None and self._has_key:
            idempotency_key = str(uuid.uuid4())
        if idempotency_key is not None:
            headers["idempotency-key"] = idempotency_key
        content = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = body.model_dump_json(exclude_unset=True, by_alias=True)
        params = {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name, value in (query or {}).items()
            if value is not None
        }
        may_repeat = method != "PATCH" and (method != "POST" or idempotency_key is not None)
        return {"params": params, "content": content, "headers": headers}, self._retries if may_repeat else 0


class Tranche(_Connection, Operations):
    """The API of a deployment, one method an operation. It may be shared between threads.

    Failed calls are sent again after a pause, or after `Retry-After`: all but a PATCH, and a POST without a key, which
    might be done twice. With an API key a POST gets an `Idempotency-Key` of its own where the platform takes one, unless
    you give one. A refusal raises ProblemError, a failed connection ConnectionError.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        retries: int = 2,
        timeout: float = 30,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """`base_url`: of the deployment, `https://…`, without `/api`. `timeout`: of one attempt, in seconds."""
        super().__init__(base_url, api_key, retries, timeout)
        self._client = httpx.Client(**self._settings, transport=transport)
        del self._settings

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> Tranche:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _call(
        self,
        method: str,
        path: str,
        answers: Mapping[int, Any],
        *,
        query: Mapping[str, Any] | None = None,
        body: BaseModel | None = None,
        idempotent: bool = False,
        idempotency_key: str | None = None,
    ) -> Any:
        request, repeats = self._request(method, query, body, idempotent, idempotency_key)
        response: httpx.Response | None = None
        failure: ConnectionError | None = None
        for attempt in range(repeats + 1):
            response, failure = None, None
            try:
                response = self._client.request(method, path, **request)
            except httpx.RequestError as error:
                failure = _failure(error)
            pause = _pause_seconds(attempt, response)
            if attempt == repeats or pause is None:
                break
            time.sleep(pause)
        if response is None:
            assert failure is not None
            raise failure
        return _value(response, answers)


class AsyncTranche(_Connection, AsyncOperations):
    """As Tranche, for asyncio: each call is awaited, each list is read by `async for`."""

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        retries: int = 2,
        timeout: float = 30,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        super().__init__(base_url, api_key, retries, timeout)
        self._client = httpx.AsyncClient(**self._settings, transport=transport)
        del self._settings

    async def close(self) -> None:
        await self._client.aclose()

    async def __aenter__(self) -> AsyncTranche:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(
        self,
        method: str,
        path: str,
        answers: Mapping[int, Any],
        *,
        query: Mapping[str, Any] | None = None,
        body: BaseModel | None = None,
        idempotent: bool = False,
        idempotency_key: str | None = None,
    ) -> Any:
        request, repeats = self._request(method, query, body, idempotent, idempotency_key)
        response: httpx.Response | None = None
        failure: ConnectionError | None = None
        for attempt in range(repeats + 1):
            response, failure = None, None
            try:
                response = await self._client.request(method, path, **request)
            except httpx.RequestError as error:
                failure = _failure(error)
            pause = _pause_seconds(attempt, response)
            if attempt == repeats or pause is None:
                break
            await asyncio.sleep(pause)
        if response is None:
            assert failure is not None
            raise failure
        return _value(response, answers)
