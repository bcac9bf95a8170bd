"""The JSON Schema of what a statistic takes follows from the header that makes its options."""

from __future__ import annotations

import inspect

import pytest
from jsonschema import Draft202012Validator

from harmgraph.analytics.statistics.parameter_schema import parameter_schema
from harmgraph.analytics.statistics.statistic import every_statistic
from harmgraph.common.errors import UnknownMember
from harmgraph.statistics import names, signature_of


def test_it_takes_what_python_takes() -> None:
    for member in every_statistic():
        schema = parameter_schema(member.name)
        takes = signature_of(member.statement).parameters
        assert set(schema["properties"]) == set(takes)
        assert set(schema["required"]) == {
            name for name, one in takes.items() if one.default is inspect.Parameter.empty
        }


@pytest.mark.parametrize("name", names())
def test_each_is_a_schema_whose_defaults_fit_it(name: str) -> None:
    schema = parameter_schema(name)
    Draft202012Validator.check_schema(schema)
    for one, each in schema["properties"].items():
        assert each["description"], one
        assert ("default" in each) is (one not in schema["required"])
        if "default" in each:
            Draft202012Validator(each).validate(each["default"])


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(UnknownMember, match="disparity"):
        parameter_schema("disparty")
