"""The yardstick of the check of answers: answers, honest and with one invention each, and the program that scores.

`python -m tests.evidence` prints what an engine flags of the inventions and how often it doubts what is true.
"""
