"""How Neo4j Browser draws the graph: colours, sizes and captions of nodes and relationships.

Neo4j Browser picks a rule by node label or relationship type alone, so a harm label, which is a property,
has no colour of its own: the statements that draw a picture choose by it instead. Nor does it know a caption for want of
another: an entity shows its name and its key, so that one without a name is not a blank circle.
"""

from __future__ import annotations

from dataclasses import dataclass

WHITE, INK = "#FFFFFF", "#2A2C34"


@dataclass(frozen=True, slots=True)
class NodeRule:
    """A label's look.

    Attributes:
        colour, border, text: hexadecimal; the fills are Okabe and Ito's, which colour-blind readers tell apart.
        diameter, font: pixels.
        caption: properties, one after the other; what a node lacks is left out.
        meaning: as the guide's legend puts it.
    """

    label: str
    colour: str
    border: str
    text: str
    diameter: int
    font: int
    caption: tuple[str, ...]
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class RelationshipRule:
    """A relationship type's look; an empty type is the rule for every other type: the triples."""

    type: str
    colour: str
    width: int
    text: str = INK


NODES = (
    NodeRule("Target", "#D55E00", "#A34700", WHITE, 108, 16, ("name",), "a group that can be harmed"),
    NodeRule("Concept", "#56B4E9", "#2B8FC9", INK, 76, 12, ("text",), "a term or phrase of a knowledge base"),
    NodeRule("Statement", "#F0E442", "#C9BD1A", INK, 112, 11, ("text",), "a sentence of a knowledge base"),
    NodeRule("Source", "#009E73", "#00734F", WHITE, 90, 13, ("name",), "a loaded knowledge base"),
    NodeRule("Entity", "#CC79A7", "#A95585", INK, 104, 10, ("name", "key")),
    NodeRule("Relation", "#B8BDC7", "#8E95A3", INK, 56, 10, ("type",)),
    NodeRule("Run", "#5B6478", "#3E4658", WHITE, 64, 10, ("command",)),
    NodeRule("Measurement", "#A6ACBA", "#7C8394", INK, 64, 10, ("metric",)),
    NodeRule("Model", "#0072B2", "#005586", WHITE, 80, 12, ("name",)),
)
RELATIONSHIPS = (
    RelationshipRule("", "#6B7280", 2),
    RelationshipRule("NAMES", "#D55E00", 3),
    RelationshipRule("ABOUT", "#B59B00", 3),
    RelationshipRule("PROPOSED", "#CC79A7", 2),
    RelationshipRule("PROBED", "#0072B2", 2),
    RelationshipRule("MEASURED", "#A6ACBA", 1),
    RelationshipRule("OF", "#A6ACBA", 1),
    RelationshipRule("STEP_OF", "#A6ACBA", 1),
    RelationshipRule("TRAINED_ON", "#009E73", 2),
)

Style = dict[str, dict[str, str]]


def style() -> Style:
    """The style as Neo4j Browser keeps it: selector to properties."""
    rules: Style = {}
    for node in NODES:
        rules[f"node.{node.label}"] = {
            "color": node.colour,
            "border-color": node.border,
            "border-width": "3px",
            "text-color-internal": node.text,
            "diameter": f"{node.diameter}px",
            "font-size": f"{node.font}px",
            "caption": " ".join(f"{{{name}}}" for name in node.caption),
        }
    for relationship in RELATIONSHIPS:
        rules["relationship" + (f".{relationship.type}" if relationship.type else "")] = {
            "color": relationship.colour,
            "shaft-width": f"{relationship.width}px",
            "font-size": "9px",
            "padding": "3px",
            "text-color-external": relationship.text,
            "text-color-internal": WHITE,
            "caption": "<type>",
        }
    return rules


def grass() -> str:
    """The same as a ``.grass`` file, which Neo4j Browser takes by drag and drop or ``:style``."""
    blocks = []
    for selector, properties in style().items():
        lines = [
            f'  {name}: "{value}";' if name == "caption" else f"  {name}: {value};"
            for name, value in properties.items()
        ]
        blocks.append("\n".join([selector + " {", *lines, "}"]))
    return "\n\n".join(blocks) + "\n"
