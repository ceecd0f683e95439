from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from typing import Literal

import pytest

from tranche_client import WebhookVerificationError, verify_webhook
from tranche_client.models import ProjectCancelledEvent

Signature = Literal["standard", "platform"]
BOTH = pytest.mark.parametrize("signature", ["standard", "platform"])


def new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


SECRET = new_secret()
BODY = json.dumps(
    {
        "event_type": "project.cancelled",
        "event_id": "evt_1",
        "timestamp": "2026-11-20T10:00:00.000Z",
        "api_version": "2026-11",
        "data": {
            "project_id": "proj_1",
            "project_name": "Köln €",
            "total_raised_xrp": "1.000000",
            "total_investors": 1,
            "transaction": {"hash": "AB", "ledger_index": 1},
            "cancelled_at": "2026-11-20T10:00:00.000Z",
        },
    },
    ensure_ascii=False,
).encode()


def headers_by(secret: str, timestamp: int | None = None) -> dict[str, str]:
    at = int(time.time()) if timestamp is None else timestamp
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = base64.b64encode(hmac.new(key, f"evt_1.{at}.".encode() + BODY, hashlib.sha256).digest()).decode()
    return {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1a,AAAA v1,%%% v1,{mac}",
        "x-platform-signature": hmac.new(secret.encode(), BODY, hashlib.sha256).hexdigest(),
    }


@BOTH
def test_an_event_is_taken_from_text_and_bytes_with_headers_of_any_case(signature: Signature) -> None:
    headers = headers_by(SECRET)
    bodies: list[bytes | str] = [BODY, BODY.decode()]
    for given in [headers, {name.upper(): value for name, value in headers.items()}]:
        for body in bodies:
            event = verify_webhook(body, given, SECRET, signature=signature)
            assert isinstance(event, ProjectCancelledEvent)
            assert event.event_id == "evt_1"


@BOTH
def test_one_of_several_secrets_is_enough_and_no_other_is(signature: Signature) -> None:
    assert verify_webhook(BODY, headers_by(SECRET), [new_secret(), SECRET], signature=signature).event_id == "evt_1"
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, headers_by(SECRET), [new_secret(), new_secret()], signature=signature)


@BOTH
def test_a_changed_body_missing_or_damaged_headers_and_no_secret_are_refused(signature: Signature) -> None:
    headers = headers_by(SECRET)
    damaged = [
        {**headers, "x-platform-signature": one, "webhook-signature": f"v1,{one}"}
        for one in ["", "zz", "ab", f"{headers['x-platform-signature']}0"[1:], "\0", "é"]
    ]
    cases: list[tuple[dict[str, str], bytes]] = [({}, BODY), (headers, BODY + b" "), *((one, BODY) for one in damaged)]
    for given, body in cases:
        with pytest.raises(WebhookVerificationError):
            verify_webhook(body, given, SECRET, signature=signature)
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, headers, [], signature=signature)
    for none in ["", "whsec_" if signature == "standard" else ""]:
        with pytest.raises(ValueError, match="empty or damaged"):
            verify_webhook(BODY, headers, none, signature=signature)


@pytest.mark.parametrize("offset", [-301, 302])
def test_a_recorded_request_is_refused_after_five_minutes_and_one_from_the_future(offset: int) -> None:
    with pytest.raises(WebhookVerificationError, match="too far from the time"):
        verify_webhook(BODY, headers_by(SECRET, int(time.time()) + offset), SECRET)
    assert verify_webhook(BODY, headers_by(SECRET, int(time.time()) - 290), SECRET).event_id == "evt_1"
