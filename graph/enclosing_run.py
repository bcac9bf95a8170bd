"""The job run that this command is a step of, passed in environment variables so that it works for any command."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass

RUN, STEP = "HARMGRAPH_RUN", "HARMGRAPH_STEP"


@dataclass(frozen=True, slots=True)
class Enclosing:
    """A step of a job run.

    Attributes:
        run: id of the job's ``Run``.
        step: name of the step.
    """

    run: str
    step: str

    @classmethod
    def from_environment(cls) -> Enclosing | None:
        """The step that this process is; None outside a job."""
        run = os.environ.get(RUN)
        return cls(run, os.environ.get(STEP, "")) if run else None

    def parameter(self) -> dict[str, str]:
        """The value of the parameter ``$job`` of ``measure/save``."""
        return asdict(self)

    def environment(self) -> dict[str, str]:
        """The environment variables for a child process."""
        return {RUN: self.run, STEP: self.step}
