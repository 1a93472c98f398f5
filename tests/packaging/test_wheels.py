"""What `make wheels` makes, and that it works where nothing else of the project is."""

from __future__ import annotations

import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from packaging.metadata import parse_email
from packaging.requirements import Requirement

if TYPE_CHECKING:
    from places import Artefacts, Place

pytestmark = [pytest.mark.packaging, pytest.mark.timeout(1800)]

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 2**20
FAST = "not slow and not packaging and not checkout"
REQUEST = "examples/requests/declare_war.json"
LISTS = ("classifiers", "keywords", "license_files", "provides_extra", "requires_dist")


@pytest.fixture(params=["from_sdist", "from_pure_wheel"])
def place(request: pytest.FixtureRequest) -> Place:
    found: Place = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["native", "pure"])
def wheel(request: pytest.FixtureRequest, artefacts: Artefacts) -> Path:
    found: Path = getattr(artefacts, request.param)
    return found


def test_the_native_wheel_serves_every_python_from_3_11(artefacts: Artefacts) -> None:
    assert re.fullmatch(r"brimful-[\d.]+-cp311-abi3-\w+\.whl", artefacts.native.name)


def test_the_native_wheel_is_small(artefacts: Artefacts) -> None:
    with ZipFile(artefacts.native) as archive:
        [library] = [entry for entry in archive.infolist() if is_compiled(entry.filename)]

    assert artefacts.native.stat().st_size <= 15 * MEGABYTE
    assert library.file_size <= 8 * MEGABYTE


def test_the_library_names_no_folder_of_the_machine_that_built_it(artefacts: Artefacts) -> None:
    with ZipFile(artefacts.native) as archive:
        [library] = [archive.read(name) for name in archive.namelist() if is_compiled(name)]

    assert b"/cargo/registry/" in library  # panics do name files
    assert [folder for folder in (Path.home(), ROOT) if f"{folder}/".encode() in library] == []


def test_the_wheels_differ_by_the_extension_only(artefacts: Artefacts) -> None:
    native, pure = package_files(artefacts.native), package_files(artefacts.pure)

    [extension] = native.keys() - pure.keys()
    assert is_compiled(extension)
    assert {name: native[name] for name in native if name != extension} == pure


def test_the_wheels_say_the_same_of_themselves(artefacts: Artefacts) -> None:
    assert read_metadata(artefacts.native) == read_metadata(artefacts.pure)


def test_a_wheel_is_complete(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        [commands] = [archive.read(name) for name in names if name.endswith(".dist-info/entry_points.txt")]

    assert {"brimful/py.typed", "brimful/data/unicode-16.0.bin", "brimful/kernels/_native.pyi"} <= set(names)
    assert {"brimful/data/cl100k_base.tiktoken.gz", "brimful/data/o200k_base.tiktoken.gz"} <= set(names)
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    assert commands.replace(b" ", b"").split() == [b"[console_scripts]", b"brimful=brimful.cli:main"]


def test_the_sdist_has_all_that_building_takes(artefacts: Artefacts) -> None:
    with tarfile.open(artefacts.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"Cargo.lock", "Cargo.toml", "LICENSE", "NOTICE", "README.md", "pyproject.toml"} <= names
    assert {"rust/core/src/lib.rs", "rust/py/src/lib.rs", "python/brimful/py.typed"} <= names
    assert not any(is_compiled(name) for name in names)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no clone, so git cannot list the files")
def test_the_sdist_is_the_checkout(artefacts: Artefacts) -> None:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    with tarfile.open(artefacts.sdist) as archive:
        names = {entry.name.partition("/")[2] for entry in archive.getmembers() if entry.isfile()}

    assert names - {"PKG-INFO"} == {name for name in listed if (ROOT / name).is_file()}


def test_nothing_can_be_compiled_where_the_pure_wheel_is(from_pure_wheel: Place) -> None:
    path = from_pure_wheel.environment["PATH"]

    assert shutil.which("cargo", path=path) is None
    assert shutil.which("rustc", path=path) is None


@pytest.mark.parametrize(("home", "name"), [("from_sdist", "rust"), ("from_pure_wheel", "python")])
def test_the_back_end_is_the_one_that_the_package_brought(home: str, name: str, request: pytest.FixtureRequest) -> None:
    place: Place = request.getfixturevalue(home)
    code = "import brimful; from brimful.kernels import active; print(active().name, brimful.__file__, end='')"
    outcome = place.run("python", "-c", code)

    found, _, file = outcome.stdout.decode().partition(" ")
    assert found == name, outcome.stderr.decode()
    assert file.startswith(str(place.folder / "venv"))


def test_doctor_finds_nothing_wrong(place: Place) -> None:
    outcome = place.run("brimful", "doctor")

    assert outcome.returncode == 0, outcome.stdout.decode() + outcome.stderr.decode()


def test_the_main_job_gives_the_same_bytes_in_both_places(from_sdist: Place, from_pure_wheel: Place) -> None:
    outcomes = [place.run("brimful", "build", REQUEST) for place in (from_sdist, from_pure_wheel)]

    assert [outcome.returncode for outcome in outcomes] == [0, 0], [outcome.stderr for outcome in outcomes]
    assert len(outcomes[0].stdout) > 1000
    assert outcomes[0].stdout == outcomes[1].stdout


def test_the_fast_suite_passes(place: Place) -> None:
    outcome = place.run("python", "-m", "pytest", "tests", "-m", FAST, "--numprocesses=2", "--color=no")

    assert outcome.returncode == 0, outcome.stdout.decode()[-8000:] + outcome.stderr.decode()


def is_compiled(name: str) -> bool:
    return name.endswith((".so", ".pyd", ".dylib"))


def package_files(wheel: Path) -> dict[str, int]:
    """The files of the package, each with its checksum."""
    with ZipFile(wheel) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist() if entry.filename.startswith("brimful/")}


def read_metadata(wheel: Path) -> dict[str, Any]:
    """The metadata without what depends on the tool that wrote it: versions of the format, order, spelling."""
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        known, unknown = parse_email(archive.read(name))
    assert not unknown
    metadata: dict[str, Any] = {**known}
    del metadata["metadata_version"]
    metadata["requires_dist"] = [str(Requirement(text)) for text in metadata["requires_dist"]]
    metadata["description_content_type"] = metadata["description_content_type"].partition(";")[0]
    metadata["description"] = metadata["description"].strip()
    return metadata | {key: sorted(metadata[key]) for key in LISTS}
