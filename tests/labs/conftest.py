"""What is asked of every exercise: one in three is quick, the others are for the long run."""

from collections import Counter

import pytest

OF_EVERY_EXERCISE = (
    "test_right_answers_are_right",
    "test_wrong_answers_are_wrong_and_their_witnesses_true",
    "test_answers_that_travel_are_worth_the_same",
    "test_unusual_forms_are_right",
    "test_some_of_the_points_say_what_they_are_for",
    "test_students_have_numbers_of_their_own",
)
QUICK = 3


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    seen = Counter()
    for item in items:
        function = item.originalname if isinstance(item, pytest.Function) else ""
        if function in OF_EVERY_EXERCISE:
            seen[function] += 1
            if seen[function] % QUICK:
                item.add_marker(pytest.mark.long)
