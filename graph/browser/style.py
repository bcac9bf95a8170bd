"""How Neo4j Browser draws the graph: colours, sizes and captions of nodes and relationships.

Neo4j Browser selects a rule only by node label or relationship type. A harm label is a property, so it cannot have its own
colour; instead, the statements that draw a graph select by harm label. There are no fallback captions either: an entity shows
both its name and its key, so that an entity without a name is not a blank circle.
"""

from __future__ import annotations

from dataclasses import dataclass

WHITE, INK = "#FFFFFF", "#2A2C34"


@dataclass(frozen=True, slots=True)
class NodeRule:
    """The appearance of nodes with a label.

    Attributes:
        colour, border, text: colours in hexadecimal; the fills are those of Okabe and Ito, safe for colour-blind readers.
        diameter, font: sizes in pixels.
        caption: properties shown one after the other; missing ones are left out.
        meaning: text in the guide's legend.
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
    """The appearance of relationships of a type; the rule with an empty type is for all other types, the triples."""

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
    NodeRule("TargetList", "#E69F00", "#B37B00", INK, 90, 13, ("name",)),
)
RELATIONSHIPS = (
    RelationshipRule("", "#6B7280", 2),
    RelationshipRule("NAMES", "#D55E00", 3),
    RelationshipRule("ABOUT", "#B59B00", 3),
    RelationshipRule("COMBINES", "#A34700", 3),
    RelationshipRule("IMPLIES", "#A65A00", 3),
    RelationshipRule("PROPOSED", "#CC79A7", 2),
    RelationshipRule("PROBED", "#0072B2", 2),
    RelationshipRule("MEASURED", "#A6ACBA", 1),
    RelationshipRule("OF", "#A6ACBA", 1),
    RelationshipRule("STEP_OF", "#A6ACBA", 1),
    RelationshipRule("TRAINED_ON", "#009E73", 2),
    RelationshipRule("GENERATED_BY", "#0072B2", 2),
    RelationshipRule("JUDGED_ON", "#CC79A7", 2),
    RelationshipRule("HOLDS", "#B37B00", 1),
)

Style = dict[str, dict[str, str]]


def style() -> Style:
    """The style in Neo4j Browser's form: properties by selector."""
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
    """The style as a ``.grass`` file, which Neo4j Browser accepts by drag and drop or ``:style``."""
    blocks = []
    for selector, properties in style().items():
        lines = [
            f'  {name}: "{value}";' if name == "caption" else f"  {name}: {value};"
            for name, value in properties.items()
        ]
        blocks.append("\n".join([selector + " {", *lines, "}"]))
    return "\n\n".join(blocks) + "\n"
