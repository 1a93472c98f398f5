"""The embedder of a service, against a small one that runs here."""

from __future__ import annotations

import importlib.util
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from brimful.builders.packets import ContextBuilder, create_default_text_embedder
from brimful.builders.packets import service as module
from brimful.errors import ConfigError, EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.loopback
NAMES = ("EMBEDDING_MODEL_ID", "EMBEDDING_API_KEY", "LLM_API_KEY", "EMBEDDING_BASE_URL", "LLM_BASE_URL")


class Service(BaseHTTPRequestHandler):
    asked: list[tuple[str, str | None, Any]] = []  # noqa: RUF012 - the handler is made anew for each request

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Service.asked.append((self.path, self.headers["Authorization"], request))
        rows = [{"index": place, "embedding": [1.0, len(text)]} for place, text in enumerate(request["input"])]
        answers = {
            "good": (200, {"data": rows[::-1]}),
            "short": (200, {"data": rows[:-1]}),
            "broken": (500, {}),
            "odd": (200, [1]),
        }
        status, answer = answers[request["model"]]
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    pytest.importorskip("httpx2", reason="the dependency group `references` is not installed")
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    Service.asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/"
        server.shutdown()
        thread.join()


def configure(monkeypatch: pytest.MonkeyPatch, url: str, model: str = "good") -> None:
    monkeypatch.setenv("EMBEDDING_MODEL_ID", model)
    monkeypatch.setenv("LLM_API_KEY", "secret")
    monkeypatch.setenv("LLM_BASE_URL", url)


def test_the_environment_names_a_service(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    configure(monkeypatch, url)
    embedder = create_default_text_embedder()

    assert embedder.encode(["a", "bb"]) == [[1.0, 1], [1.0, 2]]
    assert embedder.encode("ccc") == [1.0, 3]
    assert embedder.encode([]) == []
    assert Service.asked[0] == ("/v1/embeddings", "Bearer secret", {"model": "good", "input": ["a", "bb"]})
    assert "secret" not in repr(embedder)


def test_its_own_key_and_address_come_first(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    configure(monkeypatch, "http://127.0.0.1:1")
    monkeypatch.setenv("EMBEDDING_API_KEY", "other")
    monkeypatch.setenv("EMBEDDING_BASE_URL", url)

    create_default_text_embedder().encode("a")

    assert Service.asked[0][1] == "Bearer other"


def test_many_texts_are_asked_for_in_parts(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    configure(monkeypatch, url)
    monkeypatch.setattr(module, "MOST_TEXTS", 2)

    assert create_default_text_embedder().encode(["a", "bb", "ccc"]) == [[1.0, 1], [1.0, 2], [1.0, 3]]
    assert [len(request["input"]) for _, _, request in Service.asked] == [2, 1]


@pytest.mark.parametrize("missing", ["EMBEDDING_MODEL_ID", "LLM_API_KEY", "LLM_BASE_URL"])
def test_half_a_service_is_none(monkeypatch: pytest.MonkeyPatch, url: str, missing: str) -> None:
    configure(monkeypatch, url)
    monkeypatch.delenv(missing)

    assert len(create_default_text_embedder().encode("a")) == 384


@pytest.mark.parametrize("model", ["short", "broken", "odd"])
def test_a_service_that_fails_is_an_embedding_error_and_a_warning(
    monkeypatch: pytest.MonkeyPatch, url: str, model: str
) -> None:
    configure(monkeypatch, url, model)
    embedder = create_default_text_embedder()

    with pytest.raises(EmbeddingError, match=r"the embedding service 'http://127.0.0.1:\d+/v1/' failed: ") as failure:
        embedder.encode(["a"])
    assert failure.value.__cause__ is not None
    result = ContextBuilder(config={"enableMmr": True, "memoryEmbedder": embedder}).build(
        user_query="q", additional_packets=[{"content": "a"}]
    )
    assert "the embedder failed, so words (TF-IDF) say what is similar: EmbeddingError(" in result.warnings[0]


@pytest.mark.parametrize("address", ["http://127.0.0.1:1", "no address", "http://[", ""])
def test_an_address_without_a_service_is_an_embedding_error(address: str) -> None:
    pytest.importorskip("httpx2", reason="the dependency group `references` is not installed")

    with pytest.raises(EmbeddingError, match="the embedding service"):
        module.ServiceEmbedder("good", address, "secret").encode("a")


def test_without_the_extra_a_service_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    configure(monkeypatch, "http://127.0.0.1:1")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(ConfigError, match=r"pip install 'brimful\[embeddings\]'"):
        create_default_text_embedder()


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((None, "u", "k"), {}, "model must be a str, got a NoneType"),
        (("m", 3, "k"), {}, "base_url must be a str, got a int"),
        (("m", "u", b"k"), {}, "api_key must be a str, got a bytes"),
        (("m", "u", "k"), {"timeout_s": 0}, "timeout_s must be a finite number above 0, got 0"),
    ],
)
def test_options_of_a_service(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        module.ServiceEmbedder(*arguments, **options)
