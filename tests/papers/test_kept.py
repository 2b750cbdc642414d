"""What experiments keep: parts added by several processes at once are all there."""

import json
import subprocess
import sys
from pathlib import Path

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
ADD = """
import sys
from pathlib import Path
from kept import Kept
for number in range(40):
    Kept(Path(sys.argv[1])).save(f"{sys.argv[2]} {number}", {"rows": [number] * 500})
"""


def test_two_experiments_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    words = [[sys.executable, "-c", ADD, str(path), name] for name in ("one", "two", "three")]
    running = [subprocess.Popen(command, cwd=EXPERIMENTS) for command in words]
    assert [process.wait(timeout=60) for process in running] == [0, 0, 0]
    assert len(json.loads(path.read_text())) == 120
