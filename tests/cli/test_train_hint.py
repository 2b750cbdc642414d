"""A training that is stopped says how it goes on: with the settings that it was started with."""

from mingpai.cli.train import settings_again


def test_the_command_to_go_on_repeats_the_settings() -> None:
    words = settings_again(["config=paper", "tables=256"], "ray")
    assert words == ["--set", "config=paper", "--set", "tables=256", "--engine", "ray"]
    assert settings_again(None, None) == []
