"""Puts the events of different knowledge bases into one form, as in Fang et al. 2021, sections 4.2 and 4.4 and table 14.

``PersonX gets exercise``, ``get exercise``, ``SomeoneA gets exercise`` and ``he gets exercise`` become ``PersonX get exercise``:
people are named PersonX, PersonY and PersonZ in the order in which they occur, groups of people PeopleX and PeopleY, things
SomethingA and SomethingB; a missing subject is added; words are lemmas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from harmgraph.common.event_relations import AGENT, SENTENCES, THEME
from harmgraph.loader.formats.importer import LeftOut

Words = tuple[str, ...]
_People = tuple[str, Words, frozenset[str]]  # the subject, all referents, the names that are taken

PERSONS = ("PersonX", "PersonY", "PersonZ")
_OTHER = {PERSONS[0]: PERSONS[1], PERSONS[1]: PERSONS[0]}
PEOPLES = ("PeopleX", "PeopleY", "PeopleZ")
LETTERS = dict(zip("abcd", "XYZW", strict=True))
_PLACEHOLDERS = frozenset(
    [*PERSONS, *PEOPLES, "PersonW", "PeopleW"]
    + [f"Some{kind}{letter}" for kind in ("thing", "where", "event") for letter in "ABCD"]
)

_ABOUT_ONE = frozenset((*AGENT, *THEME))
STATES = ("xReact", "oReact", "gReact", "xAttr")
"""Relations whose tails are states: ``tired`` is ``PersonX be tired``."""

_BLANK = re.compile(r"_{2,}")
_PLACEHOLDER = re.compile(
    r"(?<![a-z0-9])(?:"
    r"(?P<people>(?:some[ _]*)?people[ _]*(?P<group>[a-d]|x|y|z))(?![a-z0-9])"
    r"|(?P<person>(?:some[ _]*one|person)[ _-]*(?P<letter>[a-d]|x|y|z))(?![a-z0-9])"
    r"|(?P<thing>some[ _]*(?P<kind>thing|where|event)s?[ _]+(?P<which>[a-d]))(?![a-z0-9])"
    r"|(?P<joined>some(?P<joined_kind>thing|where)(?P<joined_which>[a-d]))(?![a-z0-9]))",
    re.IGNORECASE,
)
_PLURAL_MARK = re.compile(r"\((?:s|es)\)")  # of GLUCOSE: feel(s)
_WORD = re.compile(r"[A-Za-z0-9À-ɏ]+(?:[-./&'][A-Za-z0-9À-ɏ]+)*|(?<!\w)'(?:s|m|re|ve|d|ll)\b", re.IGNORECASE)
_CONTRACTED = {"n't": "not", "'m": "be", "'re": "be", "'ve": "have", "'d": "would", "'ll": "will"}
_STEMS = {"ca": "can", "wo": "will", "sha": "shall", "ai": "be"}
_JOINED = {
    "cannot": ("can", "not"),
    "gonna": ("gon", "na"),
    "wanna": ("wan", "na"),
    "gotta": ("got", "ta"),
    "dont": ("do", "not"),
    "doesnt": ("do", "not"),
    "didnt": ("do", "not"),
}

_SINGULAR = {
    **dict.fromkeys(("i", "me", "my", "mine"), "i"),
    **dict.fromkeys(("you", "your", "yours"), "you"),
    **dict.fromkeys(("he", "him", "his"), "he"),
    **dict.fromkeys(("she", "her", "hers"), "she"),
    **dict.fromkeys(("someone", "somebody"), "someone"),
}
_PLURAL = {
    **dict.fromkeys(("we", "us", "our", "ours"), "we"),
    **dict.fromkeys(("they", "them", "their", "theirs"), "they"),
}
PERSON_OR_PRONOUN = frozenset((*PERSONS, *PEOPLES, *_SINGULAR, *_PLURAL, "it"))
_POSSESSIVES = frozenset(("my", "your", "his", "her"))
_NOUNS = frozenset(("guy", "man", "woman"))
_DETERMINERS = frozenset(
    ("the", "a", "an", "this", "that", "these", "those", "some", "no", "any", "all", "every", "each")
)
_SUBJECTS = frozenset(
    [
        "it",
        "there",
        "this",
        "that",
        "these",
        "those",
        "something",
        "someone",
        "somebody",
        "everyone",
        "everybody",
        "everything",
        "nobody",
        "nothing",
        "anyone",
        "others",
        "people",
        "one",
        "who",
        "what",
        "i",
        "you",
        "he",
        "she",
        "we",
        "they",
    ]
)
_BE = frozenset(["am", "is", "are", "was", "were", "be", "been", "being"])
_HAVE = frozenset(["has", "have", "had", "having"])
_DO = frozenset(["does", "do", "did", "doing", "done"])
_MODALS = frozenset(["can", "could", "will", "would", "shall", "should", "may", "might", "must"])
_STATE_VERBS = frozenset(
    [
        "feel",
        "feels",
        "felt",
        "feeling",
        "get",
        "gets",
        "got",
        "getting",
        "become",
        "becomes",
        "became",
        "seem",
        "seems",
        "look",
        "looks",
        "looked",
        "want",
        "wants",
        "need",
        "needs",
        "like",
        "likes",
        "love",
        "loves",
        "think",
        "thinks",
        "go",
        "goes",
        "try",
        "tries",
        "make",
        "makes",
        "know",
        "knows",
    ]
)
_FULL_AUXILIARIES = _BE | _HAVE | _DO
_AUXILIARIES = _FULL_AUXILIARIES | _MODALS
_VERBS_OF_STATES = _AUXILIARIES | _STATE_VERBS
_DEGREES = frozenset(("very", "so", "too", "quite", "more", "most", "extremely"))
_PASSED_OVER = frozenset(
    ["not", "never", "just", "always", "really", "still", "also", "then", "only", "often", "finally", "now"]
)
_VERB_FOLLOWS = frozenset(("to", "be", "have", "do")) | _MODALS
_BEFORE_CLAUSE = frozenset(["and", "or", "that", "if", "because", "when", "be", "help", "make", "let", "see", "'s"])
_SURE_SUBJECTS = _SUBJECTS - {"that", "this", "these", "those", "one", "people"}
_LINKING = frozenset(("be", "get", "feel", "become", "seem", "look"))
_FIXED = {
    **dict.fromkeys(_BE, "be"),
    **dict.fromkeys(_HAVE, "have"),
    **dict.fromkeys(("does", "do", "did", "doing", "done"), "do"),
    **dict.fromkeys(("goes", "going", "gone", "went"), "go"),
    "an": "a",
    "said": "say",
    "felt": "feel",
    "lay": "lay",
}
_KEPT = frozenset((*_MODALS, *_SUBJECTS, "'s", "not", "to", "as", "less", "us", "his", "na", "ta", "gon", "wan")) - _BE


@dataclass(frozen=True, slots=True)
class Aligned:
    """A triple in the common form.

    Attributes:
        tails: the forms that the tail may have: with and without ``want to`` or ``need to``, the longest first.
    """

    head: str
    relation: str
    tails: tuple[str, ...]

    def tail(self, known: Callable[[str], bool] | None = None) -> str:
        """The tail that the eventuality graph has, or else the longest."""
        if known:
            for tail in self.tails:
                if known(tail):
                    return tail
        return self.tails[0]


def spelled_out(text: str) -> str:
    """The text with placeholders in one spelling: ``Someone_A``, ``person x`` and ``PersonX`` are ``PersonX``."""
    return _PLACEHOLDER.sub(_placeholder, _PLURAL_MARK.sub("", text.replace("~", " ").replace("’", "'")))


def _placeholder(match: re.Match[str]) -> str:
    if match["people"]:
        return f" People{_letter(match['group'])} "
    if match["person"]:
        return f" Person{_letter(match['letter'])} "
    kind = match["kind"] or match["joined_kind"]
    return f" Some{kind.lower()}{(match['which'] or match['joined_which']).upper()} "


def _letter(letter: str) -> str:
    return LETTERS.get(letter.lower(), letter.upper())


@lru_cache(maxsize=20_000)
def words(text: str) -> Words:
    """The words of a text, in lower case but for placeholders, without punctuation; contractions are resolved.

    Raises:
        LeftOut: the text is empty, ``none``, or has a blank (``___``).
    """
    if _BLANK.search(text):
        raise LeftOut("blank (___)")
    split: list[str] = []
    for word in _WORD.findall(spelled_out(text)):
        if word.isalpha() and word.islower() and word not in _JOINED and len(word) > 1:
            split.append(word)  # the usual case
        elif word.startswith(("Person", "People", "Some")) and _is_placeholder(word.removesuffix("'s")):
            split += [word.removesuffix("'s"), "'s"] if word.endswith("'s") else [word]
        else:
            split += _uncontracted(word.lower(), split[-1] if split else "")
    if not split or split == ["none"]:
        raise LeftOut("none" if split else "empty")
    return tuple(split)


def _is_placeholder(word: str) -> bool:
    return word in _PLACEHOLDERS


def _uncontracted(word: str, before: str) -> tuple[str, ...]:
    if word in _JOINED:
        return _JOINED[word]
    if word in ("x", "y", "z"):
        return (f"Person{word.upper()}",)
    if "'" not in word:
        return (word,)
    if word.endswith("n't") and len(word) > 3:
        stem = word[:-3]
        return (_STEMS.get(stem, stem), "not")
    if word.endswith("'s"):
        stem = word[:-2]
        if not stem:
            return ("be",) if before in _SUBJECTS else ("'s",)
        if stem in ("x", "y", "z"):
            return (f"Person{stem.upper()}", "'s")
        return (stem, "be") if stem in _SUBJECTS else (stem, "'s")
    for ending, meaning in _CONTRACTED.items():
        if word.endswith(ending):
            return (word[: -len(ending)], meaning) if len(word) > len(ending) else (meaning,)
    return (word.strip("'").replace("'", ""),)


@cache
def _all_lemmas() -> Callable[[str], dict[str, tuple[str, ...]]]:
    from lemminflect import getAllLemmas

    lemmas: Callable[[str], dict[str, tuple[str, ...]]] = getAllLemmas
    return lemmas


@lru_cache(maxsize=20_000)
def _readings(word: str) -> dict[str, str]:
    """The lemmas of a word by part of speech (VERB, NOUN, ADJ, ADV); nothing for an unknown word."""
    return {part: lemmas[0] for part, lemmas in _all_lemmas()(word).items()}


def is_noun_phrase(phrase: Sequence[str]) -> bool:
    """Whether a phrase without subject is a noun phrase, not a verb with its objects."""
    first = phrase[0]
    return first in _DETERMINERS or not (first in _FIXED or first in _MODALS or "VERB" in _readings(first))


@lru_cache(maxsize=20_000)  # most phrases occur in many triples
def lemmas(phrase: Words) -> Words:
    """The lemmas of the words of a phrase; placeholders stay.

    A word that can be verb or noun is a verb after a subject, an auxiliary, ``to`` or ``not``, and a noun after a
    determiner. Adjectives and adverbs keep their form, as in the evaluation set (``better`` stays).
    """
    result: list[str] = []
    for position, word in enumerate(phrase):
        result.append(_lemma(word, phrase, position, result))
    # "PersonX forgets PersonX's line" is "PersonX forget PersonX line" in the evaluation set (and in table 17).
    return tuple(
        word for before, word in pairwise(("", *result)) if word != "'s" or not before or not _is_placeholder(before)
    )


def _lemma(word: str, phrase: Sequence[str], position: int, before: Sequence[str]) -> str:
    if word in _FIXED:
        return _FIXED[word]
    if word in _KEPT or word[0].isupper() or not word.isalpha():
        return word
    readings = _readings(word)
    if not readings:
        return word
    previous = before[-1] if before else ""
    verb, noun = readings.get("VERB"), readings.get("NOUN")
    if verb and _verb_expected(before, position):
        if previous in _DEGREES:
            return word
        # After ``be`` an adjective keeps its form: be tired, but be diagnose (table 17).
        if previous in _LINKING and "ADJ" in readings:
            return word
        return verb
    if verb and not noun and "ADJ" not in readings:
        return word if previous in _DEGREES else verb
    if noun:
        return noun if "ADJ" not in readings or word.endswith("s") else word
    return word


def _verb_expected(before: Sequence[str], position: int) -> bool:
    """Whether a verb can follow: after a subject, an auxiliary, ``to`` or an adverb that follows one of these."""
    for index in range(len(before) - 1, -1, -1):
        word = before[index]
        if word in _PASSED_OVER:
            continue
        if word in _VERB_FOLLOWS:
            return True
        if _is_placeholder(word):
            return index == 0 or before[index - 1] in _BEFORE_CLAUSE
        return word in _SURE_SUBJECTS and index == 0
    return position == 0


class Referents:
    """Names the people of a triple: the same word is the same person, a new one gets the next free name."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._names: dict[str, str] = {}
        self._taken = set(taken)

    def name(self, referent: str) -> str:
        """The name of a referent (``he``); the first time the next free name."""
        name = self._names.get(referent)
        if name is None:
            names = PEOPLES if referent in ("we", "they", "some people") else PERSONS
            name = next((free for free in names if free not in self._taken), names[-1])
            self._names[referent] = name
            self._taken.add(name)
        return name

    def take(self, name: str) -> None:
        """Keeps a name from being given to anyone new."""
        self._taken.add(name)

    def same(self, referent: str, name: str) -> None:
        """Says that a referent has a name that is already in use."""
        self._names.setdefault(referent, name)


def _referent(word: str, nouns: bool) -> str:
    known = _SINGULAR.get(word) or _PLURAL.get(word)
    return known or (word if nouns and word in _NOUNS else "")


def named(phrase: Sequence[str], referents: Referents, *, nouns: bool = False) -> Words:
    """The phrase with pronouns and ``some people`` named.

    Args:
        nouns: whether ``guy``, ``man`` and ``woman`` are people too, as in ASER (section 4.4).
    """
    told = _told(tuple(phrase), nouns)
    return told.called([referents.name(referent) for referent in told.referents])


@dataclass(frozen=True, slots=True)
class _Told:
    """A phrase of which it is known where people are.

    Attributes:
        bare: its words, without determiners of people, and empty where a person is.
        places: of people in ``bare``. referents: who they are, in the same order.
        subject: who the subject is; empty if nobody.
        taken: names that are in it already.
    """

    bare: Words
    places: tuple[int, ...]
    referents: Words
    subject: str
    taken: frozenset[str]

    def called(self, names: Sequence[str]) -> Words:
        """The phrase with these names of its people."""
        if not names:
            return self.bare
        result = list(self.bare)
        for place, name in zip(self.places, names, strict=True):
            result[place] = name
        return tuple(result)


@lru_cache(maxsize=20_000)  # most phrases occur in many edges
def _told(phrase: Words, nouns: bool) -> _Told:
    result: list[str] = []
    people: list[tuple[int, str]] = []
    for word in phrase:
        if word == "people" and result and result[-1] == "some":
            people.append((len(result) - 1, "some people"))
            result[-1] = ""
            continue
        referent = _referent(word, nouns)
        if referent:
            if word in _NOUNS and result and result[-1] in ("the", "a", "this", "that"):
                result.pop()
            people.append((len(result), referent))
            result.append("")
        else:
            result.append(word)
    places, referents = zip(*people, strict=True) if people else ((), ())
    return _Told(tuple(result), places, referents, _subject(phrase), _PLACEHOLDERS.intersection(phrase))


def align(head: str, relation: str, tail: str, longest: int = 10) -> Aligned:
    """A triple of ATOMIC, ATOMIC 2020 or ConceptNet in the common form.

    Args:
        relation: a name of table 11.
        longest: most words of an aligned event; 0 for any.

    Raises:
        LeftOut: an end is empty, ``none``, has a blank or is too long.
    """
    head_words, tail_words = words(head), words(tail)
    taken = [word for word in (*head_words, *tail_words) if _is_placeholder(word)]
    referents = Referents(taken)
    head_words = named(head_words, referents)
    actor = PERSONS[1] if relation in THEME else PERSONS[0]
    tail_words = _named_tail(tail_words, referents, actor, relation)
    aligned_head = lemmas(head_words)
    tails = [lemmas(variant) for variant in _tails(tail_words, relation, actor)]
    return _checked(aligned_head, relation, tails, longest)


def add_subject(phrase: Sequence[str]) -> Words:
    """``get exercise`` with its subject: ``PersonX get exercise`` (section 4.2, ConceptNet and Knowlywood)."""
    return tuple(phrase) if phrase and _is_placeholder(phrase[0]) else (PERSONS[0], *phrase)


def align_phrases(head: str, relation: str, tail: str, longest: int = 10) -> Aligned:
    """A triple of ConceptNet or Knowlywood, whose events have no subject.

    Raises:
        LeftOut: as ``align``.
    """
    referents = Referents((PERSONS[0],))
    ends = [lemmas(add_subject(named(words(text), referents))) for text in (head, tail)]
    return _checked(ends[0], relation, [ends[1]], longest)


def align_sentences(head: str, tail: str, *, longest: int = 10) -> Aligned:
    """A pair of whole sentences whose people have placeholders, as in GLUCOSE; the relation stays empty.

    ``gets tired`` becomes ``be tired``, as in table 14.

    Raises:
        LeftOut: as ``align``.
    """
    both = words(head), words(tail)
    taken = {word for phrase in both for word in phrase if _is_placeholder(word)}
    referents = Referents(taken)
    persons = taken & set(PERSONS)
    if len(persons) == 1:  # "Someone_A forgets her keys": nobody else is there
        for pronoun in ("he", "she", "i"):
            referents.same(pronoun, *persons)
    ends = [_be_for_get(lemmas(named(phrase, referents))) for phrase in both]
    return _checked(ends[0], "", [ends[1]], longest)


def _be_for_get(phrase: Words) -> Words:
    if (
        len(phrase) == 3
        and phrase[1] == "get"
        and set(_readings(phrase[2])) <= {"ADJ", "VERB"}
        and "ADJ" in _readings(phrase[2])
    ):
        return (phrase[0], "be", phrase[2])
    return phrase


def align_eventualities(head: Sequence[str], tail: Sequence[str]) -> tuple[Words, Words]:
    """The words of an edge of ASER with its people named (section 4.4), without lemmas.

    Subjects that are the same person are PersonX; if the subjects are two people, that of the head is PersonX
    and that of the tail PersonY.
    """
    both = _told(tuple(head), nouns=True), _told(tuple(tail), nouns=True)
    names = _names(*((told.subject, told.referents, told.taken) for told in both))
    return both[0].called(names[0]), both[1].called(names[1])


@lru_cache(maxsize=20_000)  # who is in both ends: few combinations
def _names(head: _People, tail: _People) -> tuple[Words, Words]:
    referents = Referents(head[2] | tail[2])
    for subject, *_ in (head, tail):
        if subject:
            referents.name(subject)
    return tuple(map(referents.name, head[1])), tuple(map(referents.name, tail[1]))


def exchanged(phrase: Sequence[str]) -> Words:
    """The phrase with PersonX and PersonY exchanged; an edge of ASER is kept in both forms (section 4.4)."""
    if PERSONS[0] not in phrase and PERSONS[1] not in phrase:
        return tuple(phrase)
    return tuple([_OTHER.get(word, word) for word in phrase])


def _subject(phrase: Sequence[str]) -> str:
    for word in phrase[:2]:
        if word not in ("the", "a", "this", "that"):
            return _referent(word, nouns=True)
    return ""


def _named_tail(phrase: Words, referents: Referents, actor: str, relation: str) -> Words:
    """The tail with its people named; its subject is the person whom the relation is about."""
    if relation in _ABOUT_ONE:
        first = 1 if phrase[0] == "to" else 0
        start = phrase[first:]
        if start[:2] == ("the", "person") or start[:2] == ("the", "people"):
            phrase = start = (*phrase[:first], actor, *start[2:])
        pronouns = [_SINGULAR[word] for word in start if _SINGULAR.get(word, "someone") not in ("someone", "you")]
        subject = start[0] in _SINGULAR and start[0] not in _POSSESSIVES if start else False
        if pronouns and (subject or actor == PERSONS[0] or start[0] == actor):
            referents.same(pronouns[0], actor)
        referents.take(actor)
    return named(phrase, referents)


def _tails(phrase: Words, relation: str, actor: str) -> list[Words]:
    if relation in STATES:
        return [_state(phrase, actor)]
    if relation.endswith("Want"):
        return _with_and_without(phrase, ("want", "to"), actor)
    if relation == "xNeed":
        return _with_and_without(phrase, ("need", "to"), actor)
    if relation == "xIntent":
        return [_intent(phrase, actor)]
    bare = _without_to(phrase)
    if relation in SENTENCES or relation == "xReason":
        return [(actor, *bare) if _starts_with_verb(bare) and not _has_subject(bare) else bare]
    return [bare if _has_subject(bare) else (actor, *bare)]


def _without_to(phrase: Words) -> Words:
    return phrase[1:] if phrase[0] == "to" and len(phrase) > 1 else phrase


def _starts_with_verb(phrase: Words) -> bool:
    readings = _readings(phrase[0])
    if "VERB" not in readings:
        return False
    after = phrase[1] if len(phrase) > 1 else ""
    return "NOUN" not in readings or after in _DETERMINERS or after in ("to", "it") or _is_placeholder(after)


def _state(phrase: Words, actor: str) -> Words:
    bare = _without_to(phrase)
    if _has_subject(bare):
        return bare
    first = bare[0]
    readings = _readings(first)
    is_verb = first in _VERBS_OF_STATES or (
        "VERB" in readings and "ADJ" not in readings and first.endswith("s") and len(bare) > 1
    )
    if first == "like" and not (len(bare) > 1 and bare[1] in ("to", "it", *PERSONS)):
        is_verb = False
    return (actor, *bare) if is_verb else (actor, "be", *bare)


def _with_and_without(phrase: Words, frame: Words, actor: str) -> list[Words]:
    """The tail with ``want to`` or ``need to`` and without, the longest first."""
    subject, rest = (phrase[:1], phrase[1:]) if _is_placeholder(phrase[0]) and len(phrase) > 1 else ((actor,), phrase)
    if len(rest) > 1 and _framed(rest[0], frame[0]) and rest[1] == "to":
        rest = rest[2:]
    elif rest[0] == "to":
        rest = rest[1:]
    elif subject == phrase[:1]:
        return [(*subject, *rest)]
    elif _has_subject(rest):
        return [tuple(rest)]
    if not rest:
        return [tuple(phrase)]
    if "VERB" not in _readings(rest[0]) and rest[0] not in _FULL_AUXILIARIES and rest[0] != "not":
        return [(*subject, frame[0], *rest)]
    return [(*subject, *frame, *rest), (*subject, *rest)]


def forms(tail: str, relation: str) -> tuple[str, ...]:
    """The forms of an aligned tail: of ``PersonX want to rest`` itself and ``PersonX rest``, the longest first."""
    frame = {"want": ("want", "to"), "need": ("need", "to")}.get(relation[1:].lower())
    phrase = tuple(tail.split(" "))
    if frame and phrase[1:3] == frame and len(phrase) > 3:
        return (tail, " ".join((phrase[0], *phrase[3:])))
    return (tail,)


def _framed(word: str, verb: str) -> bool:
    return _readings(word).get("VERB") == verb


def _intent(phrase: Words, actor: str) -> Words:
    bare = _without_to(phrase)
    if _is_placeholder(bare[0]) and (bare[0] == actor or bare[1:2] != ("to",)):
        return bare
    if phrase[0] == "to" or "VERB" in _readings(bare[0]) or bare[0] in _AUXILIARIES:
        return (actor, *bare)
    return (actor, "want", *bare)


def _has_subject(phrase: Sequence[str]) -> bool:
    first = phrase[0]
    if _is_placeholder(first) or first in _SUBJECTS:
        return True
    if first not in _DETERMINERS and not (len(phrase) > 1 and phrase[1] == "'s"):
        return False
    return any(
        word in _AUXILIARIES or ("VERB" in _readings(word) and "NOUN" not in _readings(word)) for word in phrase[2:]
    )


def _checked(head: Words, relation: str, tails: Sequence[Words], longest: int) -> Aligned:
    kept = [tail for tail in tails if not longest or len(tail) <= longest]
    if (longest and len(head) > longest) or not kept:
        raise LeftOut(f"event of more than {longest} words")
    return Aligned(" ".join(head), relation, tuple(" ".join(tail) for tail in kept))
