"""What is asked of every exercise: of one in six it is quick, of one more for the long run, and
of all with POLYNB_LARGE."""

import os
from collections import Counter

import pytest

OF_EVERY_EXERCISE = (
    "test_right_answers_are_right",
    "test_wrong_answers_are_wrong_and_their_witnesses_true",
    "test_answers_that_travel_are_worth_the_same",
    "test_unusual_forms_are_right",
    "test_some_of_the_points_say_what_they_are_for",
    "test_students_have_numbers_of_their_own",
    "test_a_classmates_answer_is_worth_little",
)
LARGE = bool(os.environ.get("POLYNB_LARGE"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    seen = Counter()
    for item in items:
        function = item.originalname if isinstance(item, pytest.Function) else ""
        if function in OF_EVERY_EXERCISE:
            seen[function] += 1
            turn = (seen[function] + OF_EVERY_EXERCISE.index(function)) % 6  # each has its own
            if turn:
                item.add_marker(pytest.mark.long)
            if turn > 1 and not LARGE:
                item.add_marker(pytest.mark.skip(reason="takes long: with POLYNB_LARGE only"))
