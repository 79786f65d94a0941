"""Tasks with their versions, passes with their attempts, and scores, one concept a file."""

from suite.models.attempt import Attempt, SuitePass
from suite.models.judge import Judgement, JudgeTrial
from suite.models.score import Score
from suite.models.task import Task, TaskVersion

__all__ = ["Attempt", "JudgeTrial", "Judgement", "Score", "SuitePass", "Task", "TaskVersion"]
