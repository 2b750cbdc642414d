"""Loads models: checksums and feature version are checked before anything runs."""

import functools
import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mingpai.core.errors import BadSetting
from mingpai.core.extras import optional
from mingpai.models.card import CARD, NETWORK, RUN, WEIGHTS, BadModel, Card, check_files, checksum, read_card

FOLDER = Path(__file__).parent
"""Where the shipped models are."""

SCALE = ":scale"
"""Ends the name of the scale of a matrix that is kept as bytes."""

ENVIRONMENT = "MINGPAI_MODELS"
"""Names a folder of one's own models, looked through first."""


class Model:
    """A network ready to run, on one thread: the arena runs a process per core, more threads would get in the way."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.card = read_card(folder)
        check_files(folder, self.card)

    @functools.cached_property
    def session(self) -> Any:
        """The onnxruntime session, made when first used."""
        return session_of(self.folder / NETWORK)

    @functools.cached_property
    def outputs(self) -> list[str]:
        """Names of what the network gives."""
        return [output.name for output in self.session.get_outputs()]

    def run(self, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The outputs of the network, by name."""
        return dict(zip(self.outputs, self.session.run(None, dict(inputs)), strict=True))

    def weights(self) -> dict[str, NDArray[Any]]:
        """The weights by name, to go on training from."""
        from safetensors.numpy import load_file

        path = self.folder / WEIGHTS
        if not path.is_file():
            raise BadModel(f"model {self.card.name}: it was shipped without {WEIGHTS}")
        loaded: dict[str, NDArray[Any]] = load_file(str(path))
        scales = {name.removesuffix(SCALE): loaded.pop(name) for name in list(loaded) if name.endswith(SCALE)}
        return {name: value * scales[name] if name in scales else value for name, value in loaded.items()}


def session_of(path: Path) -> Any:
    """The onnxruntime session of a file, on one thread."""
    onnxruntime = optional("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.disable_quant_qdq", "1")  # weights kept as bytes are scaled once, on load
    return onnxruntime.InferenceSession(str(path), sess_options=options, providers=["CPUExecutionProvider"])


def folders() -> list[Path]:
    """Where models are looked for."""
    own = os.environ.get(ENVIRONMENT)
    return [Path(own), FOLDER] if own else [FOLDER]


def cards() -> list[Card]:
    """The cards of all models, by name. Damaged ones are left out; `load` says what is wrong with them."""
    by_name: dict[str, Card] = {}
    for root in reversed(folders()):
        for path in sorted(root.glob(f"*/{CARD}")):
            by_name[path.parent.name] = read_card(path.parent)
    return [by_name[name] for name in sorted(by_name)]


def folder_of(name: str) -> Path:
    """The folder of a model, by name or path."""
    if os.sep in name and (Path(name) / CARD).is_file():
        return Path(name)
    for root in folders():
        if name and (root / name / CARD).is_file():
            return root / name
    known = ", ".join(card.name for card in cards()) or "none is shipped yet"
    raise BadSetting("model", name, f"one of: {known}; or the path of a folder with a {CARD}")


def load(name: str, *, game: str, features: str | int, older: Collection[str] = ()) -> Model:
    """The model of a name, for a game and a feature layout, or one of the `older` ones that the caller can still use;
    cached. Raises BadModel for another layout."""
    model = _load(folder_of(name))
    if model.card.game != game:
        raise BadModel(f"model {name} plays {model.card.game}, not {game}")
    if model.card.features not in {str(features), *older}:
        raise BadModel(
            f"model {name} reads feature layout {model.card.features!r}, this program writes {str(features)!r}: "
            "train it again or install the version it was made for"
        )
    return model


@functools.lru_cache(maxsize=16)
def _load(folder: Path) -> Model:
    _LOADED.add(folder)
    return Model(folder)


_LOADED: set[Path] = set()


def loaded() -> list[Path]:
    """The folders of the models that this process has loaded."""
    return sorted(_LOADED)


def ship(card: Card, files: Mapping[str, Path], root: Path = FOLDER) -> Path:
    """Makes a model folder from finished files; it appears whole or not at all. Checksums are filled in here."""
    unknown = set(files) - {NETWORK, WEIGHTS, RUN, "card.md"}
    if unknown or NETWORK not in files:
        raise BadSetting("files", sorted(files), f"{NETWORK}, and of {WEIGHTS}, {RUN}, card.md")
    sums = {name: checksum(path) for name, path in sorted(files.items())}
    root.mkdir(parents=True, exist_ok=True)
    target = root / card.name
    made = Path(tempfile.mkdtemp(prefix=f".{card.name}.", dir=root))
    try:
        for name, path in files.items():
            shutil.copyfile(path, made / name)
        values = card.to_json() | {"files": sums}
        (made / CARD).write_text(Card(**values).to_toml(), encoding="utf-8")
        made.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        made.rename(target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return target
