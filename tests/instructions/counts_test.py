"""When a count of instructions is a failure, and when it is only worth a word."""

import unittest

from counts import judge, judge_share


class JudgeTest(unittest.TestCase):
    def test_the_recorded_count_is_good(self):
        self.assertEqual(judge("GetItem", 1000, 1000), (None, False))

    def test_a_little_more_or_less_is_good(self):
        self.assertEqual(judge("GetItem", 1050, 1000), (None, False))
        self.assertEqual(judge("GetItem", 900, 1000), (None, False))

    def test_more_than_the_tolerance_fails_and_says_by_how_much(self):
        message, failed = judge("GetItem", 1060, 1000)
        self.assertTrue(failed)
        self.assertIn("GetItem: recorded 1,000, measured 1,060, +6.0 %, more than 5 % more", message)
        self.assertIn("--record", message)

    def test_much_less_is_worth_recording(self):
        message, failed = judge("GetItem", 880, 1000)
        self.assertFalse(failed)
        self.assertIn("measured 880, -12.0 %, worth recording", message)

    def test_what_was_never_recorded_fails(self):
        self.assertTrue(judge("GetItem", 1000, None)[1])

    def test_a_bar_holds_whatever_is_recorded(self):
        message, failed = judge("GetItem", 1001, 1001, bar=1000)
        self.assertTrue(failed)
        self.assertIn("1,001 instructions, and 1,000 is the most", message)
        self.assertEqual(judge("GetItem", 1000, 1001, bar=1000), (None, False))

    def test_one_count_may_be_a_share_of_another_only(self):
        message, failed = judge_share("Put with a design", 121, "Put", 100, 20)
        self.assertTrue(failed)
        self.assertIn("+21.0 % against Put, and 20 % is the most", message)
        self.assertEqual(judge_share("Put with a design", 120, "Put", 100, 20), ("Put with a design: +20.0 % against Put", False))


if __name__ == "__main__":
    unittest.main()
