from __future__ import annotations

import builtins
from typing import Any


class ProblemError(Exception):
    """A refusal of the platform (RFC 9457), or of what stands in front of it: then `code` is None."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: int | None) -> None:
        self.status = status
        self.code: str | None = problem.get("code")
        """Stable: decide by it."""
        self.type: str | None = problem.get("type")
        """The page that explains the code."""
        self.title: str | None = problem.get("title")
        self.detail: str | None = problem.get("detail")
        self.errors: list[dict[str, str]] = problem.get("errors") or []
        """Faulty fields: `field`, a path in the request, and `message`."""
        self.request_id: str | None = problem.get("request_id")
        """Quote it when you ask for help."""
        self.retry_after = retry_after
        """Seconds until it makes sense to ask again."""
        super().__init__(status, problem, retry_after)

    def __str__(self) -> str:
        return self.detail or self.title or f"The answer has status {self.status}"


class ConnectionError(builtins.ConnectionError):
    """No answer came, or no whole one. It holds nothing of the request, and so no key."""
