import pytest
from typer.testing import CliRunner

from mingpai.cli.main import app
from mingpai.web import server


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True)])
def test_another_address_is_an_explicit_choice_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, host: str, warned: bool
) -> None:
    served = list[str]()
    monkeypatch.setattr(server, "check_port", lambda host, port: None)
    monkeypatch.setattr(server, "serve", lambda hosts, port, show: served.append(hosts[0]))
    told = CliRunner().invoke(app, ["app", "--host", host])
    assert told.exit_code == 0
    assert served == [host]
    assert ("whoever reaches this address" in " ".join(told.stdout.split())) is warned


def test_this_machine_only_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    served = list[str]()
    monkeypatch.setattr(server, "check_port", lambda host, port: None)
    monkeypatch.setattr(server, "serve", lambda hosts, port, show: served.append(hosts[0]))
    told = CliRunner().invoke(app, ["app"])
    assert served == ["127.0.0.1"]
    assert told.stdout.count("http://localhost:8080") == 1
