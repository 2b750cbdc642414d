"""Another program as an agent: `exec:COMMAND`. One JSON position per line to it, one JSON Decision per line back."""

import contextlib
import json
import queue
import shlex
import subprocess
import threading
import time
from dataclasses import dataclass

from mingpai.core.agent import Agent
from mingpai.core.decision import Decision
from mingpai.core.errors import AgentFailed, BadSetting, MingpaiError
from mingpai.core.game import View
from mingpai.core.reading import read_object
from mingpai.core.settings import setting


@dataclass(frozen=True)
class ProgramSettings:
    """`exec:COMMAND`, or with a time limit `exec:limit=5 COMMAND`."""

    command: str = setting("", "The command line; everything after the colon, or after `limit=SECONDS`.", kind="path")
    limit: float = setting(10.0, "Seconds within which an answer must come.", (0.001, 86_400))


class ProgramAgent(Agent[ProgramSettings]):
    """Plays what another program answers. A late, broken or illegal answer voids the game: nobody moves for it."""

    Settings = ProgramSettings

    def __init__(self, settings: ProgramSettings, *, game: str, spec: str, seed: int = 0) -> None:
        super().__init__(settings, game=game, spec=spec, seed=seed)
        try:
            self._words = shlex.split(settings.command)
        except ValueError as error:
            raise BadSetting("exec", settings.command, f"a command line ({error})") from None
        if not self._words:
            raise BadSetting("exec", settings.command, "a command after the colon")
        self._process: subprocess.Popen[str] | None = None
        self._answers: queue.Queue[str | None] = queue.Queue()

    def decide(self, view: View) -> Decision:
        start = time.perf_counter()
        answer = self._ask(json.dumps(view.to_json() | {"seed": self.native_seed(view)}))
        text = answer.get("move")
        if not isinstance(text, str):
            raise self._failed(f"answered without a move: {answer.get('error', answer)!r}")
        try:
            move = view.game.parse_move(text, view)
        except MingpaiError as error:
            raise self._failed(str(error)) from error
        return Decision(move=move, value_unit=view.game.unit, agent=self.spec, seconds=time.perf_counter() - start)

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # what was not read yet is lost with the process
                        pipe.close()
            self._process = None

    def _ask(self, line: str) -> dict[str, object]:
        process = self._started()
        assert process.stdin is not None
        try:
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answer = self._answers.get(timeout=self.settings.limit)
        except queue.Empty:
            raise self._failed(f"no answer within {self.settings.limit:g} s") from None
        except OSError as error:
            raise self._failed(f"cannot be written to: {error}") from None
        if answer is None:
            raise self._failed("ended without an answer")
        try:
            return read_object(answer, "a Decision as a JSON object")
        except MingpaiError as error:
            raise self._failed(f"answered what is not JSON: {error}") from None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
                )
            except OSError as error:
                raise AgentFailed(self.spec, f"cannot be started: {error}") from None
            self._answers = queue.Queue()
            threading.Thread(target=_forward, args=(self._process, self._answers), daemon=True).start()
        return self._process

    def _failed(self, why: str) -> AgentFailed:
        self.close()
        return AgentFailed(self.spec, why)


def _forward(process: "subprocess.Popen[str]", answers: "queue.Queue[str | None]") -> None:
    assert process.stdout is not None
    try:
        for line in process.stdout:
            answers.put(line)
    except ValueError:
        pass  # closed by close()
    answers.put(None)
