"""Shrinks a figure's SVG for the page that contains it: the same picture in about half the bytes.

matplotlib writes six decimals, one line for each number, and ids that nothing refers to. Two decimals are a hundredth of a
point, which no screen or printer shows. The separate figure files stay as matplotlib writes them.
"""

from __future__ import annotations

import re
from itertools import count
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG, LINKS = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_LONG = re.compile(r"-?\d*\.\d{3,}")
_MOVED = re.compile(r"translate\((-?[\d.]+) (-?[\d.]+)\)")
_NAMED = re.compile(r"url\(#([^)]+)\)")
_COORDINATES = ("d", "x", "y", "points")


def compact(svg: bytes) -> bytes:
    """The same picture in fewer bytes.

    Args:
        svg: as ``graph.plotting.canvas.rendered`` returns it.
    """
    root = ElementTree.fromstring(svg)
    names = _names(root)
    for element in root.iter():
        _shorten(element, names)
    root.set("xmlns", SVG)
    return ElementTree.tostring(root)


def _names(root: Element) -> dict[str, str]:
    """A short name for every id that something refers to."""
    used: dict[str, str] = {}
    short = (f"a{number}" for number in count())
    for element in root.iter():
        link = element.get(f"{{{LINKS}}}href", "")
        for name in [link[1:]] * link.startswith("#") + [
            name for value in element.attrib.values() for name in _NAMED.findall(value)
        ]:
            if name not in used:
                used[name] = next(short)
    return used


def _shorten(element: Element, names: dict[str, str]) -> None:
    element.tag = element.tag.removeprefix(f"{{{SVG}}}")  # one default namespace, and no prefix anywhere
    if element.tag not in ("title", "desc", "style"):
        element.text = None
    element.tail = None
    name = element.attrib.pop("id", None)
    if name in names:
        element.set("id", names[name])
    link = element.attrib.pop(f"{{{LINKS}}}href", None)
    if link is not None:
        element.set("href", f"#{names[link[1:]]}" if link[1:] in names else link)
        _place(element)
    for key, value in element.attrib.items():
        element.set(key, _NAMED.sub(lambda match: f"url(#{names[match[1]]})", _shorter(key, value)))


def _shorter(key: str, value: str) -> str:
    if key in _COORDINATES:
        return re.sub(r"\s*([A-Za-z])\s*", r"\1", _LONG.sub(_rounded, value)).strip()
    if key == "style":
        return re.sub(r"\s*([:;])\s*", r"\1", value)
    if key == "transform":
        return re.sub(r"(?<=translate\()[^)]*", lambda match: _LONG.sub(_rounded, match[0]), value)
    return value


def _place(element: Element) -> None:
    """Writes the position of a reused element as x and y, if its transform only moves it."""
    moved = _MOVED.fullmatch(element.get("transform", ""))
    if moved and element.get("x") is None and element.get("y") is None:
        del element.attrib["transform"]
        for key, value in zip(("x", "y"), moved.groups(), strict=True):
            if float(value):
                element.set(key, value)


def _rounded(match: re.Match[str]) -> str:
    value = f"{float(match[0]):.2f}".rstrip("0").rstrip(".")
    return "0" if value == "-0" else value
