"""The hand that the climbing games share: deal, call, solo question, tricks, places, end.

What differs between two games or two tables is a `Flow` value (states.py); nothing here knows
which game it serves.
"""
