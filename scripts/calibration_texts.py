"""The texts that `fit_byte_weights.py` learns from: three packages of a registry, pinned, read where pip puts them.

Django's source distribution has English prose, program text and, as Sphinx's wheel, translations into most languages;
the wheel of `emoji` has emoji and their names. None of it comes with Brimful.
"""

from __future__ import annotations

import hashlib
import json
import re
import tarfile
import zipfile
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

DJANGO: Final = "django-5.2.8.tar.gz"
SPHINX: Final = "sphinx-9.0.4-py3-none-any.whl"
EMOJI: Final = "emoji-2.16.0-py3-none-any.whl"
SHA_256: Final = {
    DJANGO: "23254866a5bb9a2cfa6004e8b809ec6246eba4b58a7589bc2772f1bcc8456c7f",
    SPHINX: "5bebc595a5e943ea248b99c13814c1c5e10b3ece718976824ffa7959ff95fffb",
    EMOJI: "c4230d80640def9071599ff56b1b5950fe13a2a94c0da98c5deab12431b24330",
}
# Kinds of Django's files, the first that matches, and what each weighs in the fit. Languages are weighed below.
KINDS: Final = {
    "prose": (r"docs/.*\.txt", 0.7),
    "manual page": (r"docs/man/.*\.1", 0.3),
    "python": (r"django/.*\.py", 1.0),
    "python tests": (r"tests/.*\.py", 0.5),
    "minified": (r".*\.min\.js", 1.0),
    "vendored": (r".*/vendor/.*\.js", 1.0),
    "javascript": (r".*\.js", 1.0),
    "json": (r".*\.json", 0.5),
    "html": (r"django/.*\.html", 0.4),
    "css": (r"django/.*\.css", 0.2),
}
EMOJI_SHARE: Final = 0.3
# Most text of the world that is not English; languages of many readers or of a script of their own; any other.
WIDE: Final = "de es fr it ja ko nl pl pt_BR ru tr zh_CN zh_Hans zh_Hant zh_TW".split()  # noqa: SIM905
MIDDLE: Final = (
    "am ar bg bn ca cs da el fa fi he hi hu hy id ka km kn ml mr my nb ne pa ro sk sv ta te th uk uk_UA ur vi".split()  # noqa: SIM905
)
WIDE_SHARE, MIDDLE_SHARE, RARE_SHARE = 0.2, 0.03, 3e-4
# Segmenters and some manual pages put a space after each character, which costs cl100k_base dearly.
SPACED: Final = {"Django ja", "Django zh_Hans", "Django zh_Hant", "Sphinx ja", "Sphinx zh_CN", "Sphinx zh_TW"}
SPACED_SHARE: Final = 0.02


def read_texts(folder: Path) -> dict[str, tuple[str, float]]:
    """Map the name of each source to its text and share, from the packages in `folder`."""
    for name, expected in SHA_256.items():
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != expected:
            message = f"{folder / name} is not the file that the weights were fitted on"
            raise ValueError(message)
    django, sphinx = read_tar(folder / DJANGO), read_zip(folder / SPHINX, ".po")
    texts = {kind: (text, KINDS[kind][1]) for kind, text in sort_by_kind(django).items()}
    for name, files in (("Django", django), ("Sphinx", sphinx)):
        for language, text in translations(files).items():
            texts[f"{name} {language}"] = (text, share_of(language))
    return texts | emoji_texts(folder / EMOJI)


def spaced_texts(texts: Mapping[str, tuple[str, float]]) -> dict[str, tuple[str, float]]:
    """Give the Chinese and Japanese translations again, with a space after each kana and Han character."""
    return {
        f"{name} spaced": (re.sub("([\u3040-\u30ff\u4e00-\u9fff])", r"\1 ", texts[name][0]), SPACED_SHARE)
        for name in sorted(SPACED)
    }


def read_tar(path: Path) -> dict[str, str]:
    """Map path to text for the files of a source distribution that are UTF-8, sorted, without the top folder."""
    with tarfile.open(path) as archive:
        members = sorted((member.name.partition("/")[2], member) for member in archive if member.isfile())
        contents = [(name, archive.extractfile(member)) for name, member in members]
        return decode({name: content.read() for name, content in contents if content})


def read_zip(path: Path, ending: str) -> dict[str, str]:
    """Do the same for the files of a wheel that end in `ending`."""
    with zipfile.ZipFile(path) as archive:
        return decode({name: archive.read(name) for name in sorted(archive.namelist()) if name.endswith(ending)})


def decode(files: Mapping[str, bytes]) -> dict[str, str]:
    """Leave out what is not UTF-8."""
    texts = {}
    for name, content in files.items():
        try:
            texts[name] = content.decode()
        except UnicodeDecodeError:
            continue
    return texts


def sort_by_kind(files: Mapping[str, str]) -> dict[str, str]:
    """Join the files of each kind."""
    found = defaultdict[str, list[str]](list)
    for name, text in files.items():
        kind = next((kind for kind, (pattern, _) in KINDS.items() if re.fullmatch(pattern, name)), None)
        if kind:
            found[kind].append(text)
    return {kind: "\n".join(texts) for kind, texts in found.items()}


def translations(files: Mapping[str, str]) -> dict[str, str]:
    """Join the translated messages of the gettext catalogues, language by language."""
    found = defaultdict[str, list[str]](list)
    for name, text in files.items():
        language = re.search(r"([^/]+)/LC_MESSAGES/[^/]+\.po$", name)
        if language:
            found[language[1]].extend(messages(text))
    return {language: "\n".join(texts) for language, texts in found.items()}


def messages(catalogue: str) -> Iterator[str]:
    """Give the translated messages of a catalogue, without its header."""
    for message in re.finditer(r'^msgstr(?:\[\d\])? ((?:"[^\n]*"\n?)+)', catalogue, re.MULTILINE):
        text = "".join(re.findall(r'"(.*)"', message[1])).replace("\\n", "\n").replace('\\"', '"')
        if text and "Content-Type:" not in text:
            yield text


def share_of(language: str) -> float:
    """Tell what a language weighs."""
    return WIDE_SHARE if language in WIDE else MIDDLE_SHARE if language in MIDDLE else RARE_SHARE


def emoji_texts(path: Path) -> dict[str, tuple[str, float]]:
    """Give every emoji with its English name, a line each, and all emoji in a row."""
    [content] = read_zip(path, "/emoji.json").values()
    names = {emoji: names["en"].strip(":").replace("_", " ") for emoji, names in json.loads(content).items()}
    listed = "\n".join(f"{emoji} {name}" for emoji, name in names.items())
    return {"emoji named": (listed, EMOJI_SHARE), "emoji": (" ".join(names), EMOJI_SHARE)}
