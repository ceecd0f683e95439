"""Against the platform at BASE_URL, a sandbox."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from datetime import datetime, timezone
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from tranche_client import ProblemError, Tranche
from tranche_client.models import CreateApiKeyBody, InvestmentConfirmedEvent, RegisterWebhookBody

BASE_URL = os.environ["BASE_URL"]
WALLET = "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"


@pytest.fixture
def api_key() -> str:
    return Tranche(BASE_URL).create_api_key(CreateApiKeyBody(wallet_address=WALLET, name="Python client")).api_key


def start(folder: Path, name: str, **settings: str) -> subprocess.Popen[str]:
    """A program of the README."""
    found = re.search(rf"```python {name}\n(.*?)```", Path("README.md").read_text(), re.DOTALL)
    assert found is not None
    (folder / name).write_text(found[1])
    env = {**os.environ, **settings, "BASE_URL": BASE_URL}
    return subprocess.Popen([sys.executable, name], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)


def test_the_program_that_reads_sales_names_each(tmp_path: Path) -> None:
    program = start(tmp_path, "sales.py")
    output, _ = program.communicate(timeout=60)
    assert program.returncode == 0
    for sale in Tranche(BASE_URL).all_projects():
        assert re.search(rf"^{re.escape(sale.name)} is \w+ and has raised [\d.]+ XRP$", output, re.MULTILINE)


def test_the_program_that_receives_takes_a_signed_event_and_refuses_another_request(
    tmp_path: Path, api_key: str
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    url = f"http://127.0.0.1:{port}/"
    program = start(tmp_path, "receiver.py", TRANCHE_API_KEY=api_key, PUBLIC_URL=url, PORT=port)
    try:
        assert program.stdout is not None
        assert re.match(r"investment\.confirmed: [\d.]+ XRP, evt_\w+$", program.stdout.readline())
        assert httpx.post(url, json={}).status_code == 401
    finally:
        program.kill()
        program.wait()


def test_a_list_is_read_to_its_end_over_several_pages(api_key: str) -> None:
    tranche = Tranche(BASE_URL, api_key=api_key)
    made = {
        tranche.register_webhook(
            RegisterWebhookBody(url="http://127.0.0.1:9/hook", events=["investment.confirmed"])
        ).id
        for _ in range(2)
    }
    assert made <= {one.id for one in tranche.all_webhooks(limit=1)}
    for one in made:
        tranche.delete_webhook(one)


def test_one_idempotency_key_registers_one_webhook(api_key: str) -> None:
    tranche = Tranche(BASE_URL, api_key=api_key)
    body = RegisterWebhookBody(url="http://127.0.0.1:9/hook", events=["investment.confirmed"])
    first, again = (tranche.register_webhook(body, idempotency_key="once") for _ in range(2))
    assert (first.id, first.secret) == (again.id, again.secret)
    assert first.secret not in repr(first)
    tranche.delete_webhook(first.id)


def test_events_and_answers_are_values_of_their_types(api_key: str) -> None:
    tranche = Tranche(BASE_URL, api_key=api_key)
    assert tranche.get_system_status().status in {"operational", "degraded", "down"}
    for sale in tranche.all_projects():
        assert Decimal(tranche.get_project(sale.id).progress.total_raised_xrp) >= 0
        tranche.list_exceptions(sale.id)
        tranche.get_verification(sale.id)
    page = tranche.list_events(types="investment.confirmed", since=datetime(2020, 1, 1, tzinfo=timezone.utc))
    assert all(isinstance(one, InvestmentConfirmedEvent) for one in page.events)


def test_a_refusal_has_the_code_the_faulty_fields_and_the_name_of_the_request(api_key: str) -> None:
    with pytest.raises(ProblemError) as refused:
        Tranche(BASE_URL, api_key=api_key).register_webhook(RegisterWebhookBody(url="nowhere", events=[]))
    error = refused.value
    assert (error.status, error.code) == (400, "invalid_request")
    assert "events" in {one["field"] for one in error.errors}
    assert error.request_id is not None and error.type is not None and error.title is not None
