from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
from collections.abc import Iterable, Mapping
from typing import Literal, Protocol

from pydantic import TypeAdapter

from .operations import WebhookEvent

_EVENT: TypeAdapter[WebhookEvent] = TypeAdapter(WebhookEvent)


class Headers(Protocol):
    """Headers by name, as web frameworks and `http.server` have them."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """The request is not from the platform, is too old, or has been changed on its way: answer 401."""


def _bytes_of(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _standard(body: bytes, headers: Mapping[str, str], tolerance_seconds: float) -> tuple[list[bytes], bytes]:
    timestamp = headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is missing or too far from the time here")
    marked = (one for one in headers.get("webhook-signature", "").split(" ") if one.startswith("v1,"))
    given = [signature for one in marked if (signature := _bytes_of(one[3:])) is not None]
    return given, f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body


def _platform(body: bytes, headers: Mapping[str, str]) -> tuple[list[bytes], bytes]:
    try:
        return [bytes.fromhex(headers.get("x-platform-signature", ""))], body
    except ValueError:
        return [], body


def verify_webhook(
    body: bytes | str,
    headers: Headers,
    secrets: str | Iterable[str],
    *,
    signature: Literal["standard", "platform"] = "standard",
    tolerance_seconds: float = 300,
) -> WebhookEvent:
    """The event of a webhook request, once one of its signatures is by one of the secrets: give both while you rotate.

    `body` are the bytes as they came, before anything parses them. `platform` checks `X-Platform-Signature`, which a
    recorded request passes for ever; `tolerance_seconds` is how far `webhook-timestamp` may be off. Raises
    WebhookVerificationError.
    """
    raw = body.encode() if isinstance(body, str) else body
    lower = {name.lower(): value for name, value in headers.items()}
    is_platform = signature == "platform"
    given, covered = _platform(raw, lower) if is_platform else _standard(raw, lower, tolerance_seconds)
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        key = secret.encode() if is_platform else _bytes_of(secret.removeprefix("whsec_"))
        if not key:  # With an empty key anybody could sign.
            raise ValueError("A secret of a webhook is empty or damaged: whsec_…")
        expected = hmac.new(key, covered, hashlib.sha256).digest()
        if any([hmac.compare_digest(expected, one) for one in given]):
            return _EVENT.validate_json(raw)
    raise WebhookVerificationError("No signature of the request is by a secret of this webhook")
