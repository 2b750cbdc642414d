"""The API keeps to its description, whatever is sent: schemathesis makes requests from /openapi.json."""

from pathlib import Path

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.types import ASGIApp, Receive, Scope, Send

from mingpai.web import api
from tests.scale import count


class FromThisMachine:
    """Every request comes from this machine: from elsewhere a browser must have been to the pages first."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["client"] = ("127.0.0.1", 50000)
        await self._app(scope, receive, send)


def made_app() -> FastAPI:
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(FromThisMachine)
    api.install(app)
    return app


REFUSED = {"negative_data_rejection": {"expected-statuses": ["400", "404", "405", "413", "422"]}}
config = schemathesis.Config.from_dict({"checks": REFUSED})
schema = schemathesis.openapi.from_asgi("/openapi.json", made_app(), config=config)


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINGPAI_HOME", str(tmp_path))


@schema.parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=count(fast=6, ci=25, verify=120), deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case) -> None:
    # Not every text that fits the description is a position or a hand: those are refused with 400.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])
