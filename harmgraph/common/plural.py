"""The forms in which the name of a group stands in English text; they are found, and masked, by the same rule."""

from __future__ import annotations

import re

_IRREGULAR = {
    "man": "men",
    "person": "people",
    "wife": "wives",
    "child": "children",
}
_IES = re.compile(r"[^aeiou]y$")
_ES = re.compile(r"(s|x|z|ch|sh)$")


def plural(name: str) -> str:
    """The English plural of a name, by its last word: ``lady`` -> ``ladies``, ``policeman`` -> ``policemen``."""
    for singular, irregular in _IRREGULAR.items():
        if name.endswith(singular) and not name.endswith("human"):
            return name.removesuffix(singular) + irregular
    if _IES.search(name):
        return name[:-1] + "ies"
    return name + ("es" if _ES.search(name) else "s")


def forms(name: str) -> frozenset[str]:
    """A name, its plural, and the name with a plain ``s``."""
    return frozenset((name, plural(name), name + "s"))
