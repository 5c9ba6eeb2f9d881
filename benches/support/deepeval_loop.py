"""Seconds that DeepEval's evaluate() takes for a JSON Lines file.

The metric does what `exact-json` does: the answer is JSON and has a field
`answer`. Prints one number.
"""

import json
import os
import sys
import time

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"

from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, CacheConfig, DisplayConfig
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase


class ExactJson(BaseMetric):
    """1 if the answer is a JSON object with a field `answer`, else 0."""

    def __init__(self):
        self.threshold = 1.0
        self.async_mode = False

    def measure(self, test_case, *args, **kwargs):
        try:
            value = json.loads(test_case.actual_output)
            self.score = float(isinstance(value, dict) and "answer" in value)
        except ValueError:
            self.score = 0.0
        self.reason = "has the field" if self.score else "has no such field"
        self.success = self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case, *args, **kwargs):
        return self.measure(test_case)

    def is_successful(self):
        return self.success

    @property
    def __name__(self):
        return "Exact JSON"


with open(sys.argv[1], encoding="utf-8") as file:
    rows = [json.loads(line) for line in file]
cases = [
    LLMTestCase(input=row["input"], actual_output=row["actual_output"]) for row in rows
]
start = time.perf_counter()
evaluate(
    test_cases=cases,
    metrics=[ExactJson()],
    async_config=AsyncConfig(run_async=False),
    cache_config=CacheConfig(write_cache=False, use_cache=False),
    display_config=DisplayConfig(show_indicator=False, print_results=False),
)
print(time.perf_counter() - start)
