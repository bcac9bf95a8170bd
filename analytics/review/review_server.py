"""Serves the page of a review to the user's own web browser.

The page may be read by anyone on this machine; what it asks for needs the token of its address, see ``LoopbackServer``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any, cast
from urllib.parse import urlsplit

from harmgraph.analytics.labelling.drawn_sample import Item
from harmgraph.analytics.labelling.frame_answer import (
    ALWAYS,
    GROUP,
    IMPLIED,
    IN_GROUP,
    PARTS,
    WHICH_GROUP,
    FramePart,
    frame_answer,
)
from harmgraph.analytics.labelling.review_question import FRAMES, ReviewQuestion
from harmgraph.analytics.review.session import JudgedItem, Review, ShownItem
from harmgraph.common.clean_text import clean_values
from harmgraph.common.errors import HarmgraphError
from harmgraph.common.json_text import from_json
from harmgraph.common.loopback import OWN_POLICY, TOKEN_HEADER, TYPES, LoopbackHandler, LoopbackServer, media_type

FILES = ("review.html", "review.css", "review.js")
LONGEST_BODY = 10_000
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Look:
    """How statements are shown.

    Attributes:
        masked: whether targets are masked, as for the scorer.
        rest_every: judgements between two breaks; 0 for none.
    """

    masked: bool = False
    rest_every: int = 50


class ReviewServer(LoopbackServer):
    """The server of a review."""

    pages = "the page of the review"

    def __init__(self, review: Review, look: Look, port: int = 0) -> None:
        """Prepares the server; see ``LoopbackServer``."""
        super().__init__(port)
        self.review = review
        self.look = look

    @property
    def page(self) -> str:
        """The address to open. The token comes after ``#``, a part that browsers do not send."""
        return f"{self.origin}/#{self.token}"

    @property
    def question(self) -> ReviewQuestion:
        """What the page asks."""
        return self.review.judgements.question

    def answer(self, shown: ShownItem) -> dict[str, Any]:
        """What the page is told, clean; nothing of the scorer about a statement that may yet be judged."""
        item, told = shown.item, shown.told
        answer = {
            "done": shown.done,
            "skipped": shown.skipped,
            "total": shown.total,
            "waiting": shown.waiting,
            "rest": bool(self.look.rest_every and shown.done and shown.done % self.look.rest_every == 0),
            "item": None
            if item is None
            else {
                "id": item.id,
                "sentence": self._seen(item),
                "again": shown.again,
                "targets": [] if self.look.masked else list(item.targets),
                "source": item.source,
                "context": [] if self.look.masked else list(self.review.context(item)),
                "prompt": "" if self.look.masked else item.prompt,
            },
            "groups": list(self.review.groups),
            "previous": None if shown.previous is None else self._judged(shown.previous),
            "told": None
            if told is None or not told.item.by
            else self._judged(told)
            | {"scorer": {"label": told.item.label, "score": told.item.score, "by": told.item.by}},
        }
        return cast(dict[str, Any], clean_values(answer))

    def _judged(self, judged: JudgedItem) -> dict[str, Any]:
        # Of a frame the label alone says which question was answered.
        words = self.question.labels if self.question.name == FRAMES else self.question.names
        return {
            "id": judged.item.id,
            "sentence": self._seen(judged.item),
            "label": words[self.question.labels.index(judged.label)],
        }

    def _seen(self, item: Item) -> str:
        return item.masked if self.look.masked else item.sentence


class _Handler(LoopbackHandler[ReviewServer]):
    def get(self) -> None:
        path = urlsplit(self.path).path
        name = "review.html" if path == "/" else path.lstrip("/")
        if name not in FILES:
            self.say(404, "There is no such page.")
            return
        body = resources.files(__package__).joinpath("pages", name).read_bytes()
        if name == FILES[0]:
            body = _asking(body.decode(), self.owner.question).encode()
        self.send(200, body, media_type(name), {"Content-Security-Policy": OWN_POLICY})

    def post(self) -> None:
        action = _ACTIONS.get(urlsplit(self.path).path)
        if action is None:
            self.say(404, "There is no such page.")
        elif not self.from_our_page() or not self.owner.is_token(self.headers.get(TOKEN_HEADER, "")):
            self.say(403, 'Open the address that "harmgraph review" printed.')
        elif (asked := self._asked()) is None:
            self.say(400, "This is not what the page asks.")
        else:
            try:
                shown = action(self.owner.review, asked)
            except HarmgraphError as error:
                self.say(409, str(error))
            except (KeyError, ValueError):
                self.say(400, "This is not what the page asks.")
            else:
                self.send(200, json.dumps(self.owner.answer(shown)).encode(), TYPES["json"])

    def _asked(self) -> Mapping[str, Any] | None:
        """The body, with the annotator's name without outer spaces; None if it is none of the page's."""
        try:
            length = int(self.headers.get("Content-Length", "0"))
            asked = from_json(self.rfile.read(length)) if 0 < length <= LONGEST_BODY else None
        except ValueError:
            return None
        name = asked.get("annotator") if isinstance(asked, dict) else None
        if asked is None or not isinstance(name, str):
            return None
        name = " ".join(name.split())
        return {**asked, "annotator": name} if 0 < len(name) <= LONGEST_NAME and name.isprintable() else None


def _judge(review: Review, asked: Mapping[str, Any]) -> ShownItem:
    question, annotator = review.judgements.question, asked["annotator"]
    if question.name != FRAMES:
        label = question.labels[question.names.index(asked["label"])]
        return review.judge(annotator, asked["id"], label)
    frame = frame_answer(asked["frame"], annotator)
    return review.judge(annotator, asked["id"], question.labels[question.names.index(frame.word)], frame)


def _asking(page: str, question: ReviewQuestion) -> str:
    """The page with a question."""
    choices = [(number, choice.name, choice.meaning) for number, choice in enumerate(question.choices, 1)]
    if question.name == FRAMES:
        meanings = [(part.heading, part.hint) for part in PARTS]
        answers = _frame_form()
    else:
        meanings = [(f"{name.capitalize()}:", meaning) for _, name, meaning in choices]
        answers = "\n".join(
            f'<button data-label="{escape(name)}"><kbd>{number}</kbd> {escape(name.capitalize())}</button>'
            for number, name, _ in choices
        )
    parts = {
        "heading": escape(question.heading),
        "told": escape(question.told),
        "meanings": "\n".join(
            f"<li><strong>{escape(name)}</strong> {escape(meaning)}</li>" for name, meaning in meanings
        ),
        "answers": answers,
    }
    for part, text in parts.items():
        page = page.replace(f"<!-- {part} -->", text)
    return page


def _frame_form() -> str:
    """The form with all questions of a frame; ``review.js`` shows those that are to be asked."""

    def fields(part: FramePart) -> str:
        name = escape(part.variable.name)
        radios = "\n".join(
            f'<label><input type="radio" name="{name}" value="{number}" required> {escape(word.capitalize())}</label>'
            for number, word in sorted(part.variable.choices.items(), reverse=True)
        )
        return f'<fieldset id="part-{name}"><legend>{escape(part.heading)}</legend>\n{radios}\n</fieldset>'

    shown = {part.variable.name: fields(part) for part in PARTS}
    group = (
        f'<div class="group"><label>{escape(WHICH_GROUP)} <input class="which" list="known" maxlength="200" required></label>\n'
        f'<label>{escape(IMPLIED)} <textarea class="implied" rows="2" maxlength="2000"></textarea></label></div>'
    )
    groups = (
        f'<fieldset id="part-groups"><legend>The group</legend>\n<div id="groups">{group}</div>\n'
        '<button type="button" id="another">Another group</button></fieldset>\n<datalist id="known"></datalist>'
    )
    before, after = (shown[name] for name in (*ALWAYS, GROUP)), shown[IN_GROUP]
    kept = '<button type="submit">Keep and go on</button>'
    return "\n".join(('<form id="frame">', *before, groups, after, kept, "</form>"))


_ACTIONS: Mapping[str, Callable[[Review, Mapping[str, Any]], ShownItem]] = {
    "/show": lambda review, asked: review.shown(asked["annotator"]),
    "/judge": _judge,
    "/skip": lambda review, asked: review.skip(asked["annotator"], asked["id"]),
    "/undo": lambda review, asked: review.undo(asked["annotator"]),
}

ReviewServer.handler = _Handler
