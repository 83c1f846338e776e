"""Answers of a real model with the calculations that it stated, and inventions with those that a mistaken one would.

`answers.jsonl`: 60 questions with what tools returned, written by somebody who knew nothing of the check, and what a
model answered that knew the skill's text alone, and no program. It was measured once before anybody had looked: 111 of
2,409 facts (4.6 %) were marked in the text of 37 answers; what was learned from that is in docs/evidence.md.

`practice.jsonl`: the same for 40 questions to the practice's tools: 11 of 868 facts (1.3 %) were marked, in 3 answers.
"""
