"""The API of a Tranche deployment, typed: calls, pages, retries, problems, and the check of webhooks."""

from . import models
from .connection import AsyncTranche, Tranche
from .operations import WebhookEvent
from .problem import ConnectionError, ProblemError
from .webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncTranche",
    "ConnectionError",
    "ProblemError",
    "Tranche",
    "WebhookEvent",
    "WebhookVerificationError",
    "models",
    "verify_webhook",
]
