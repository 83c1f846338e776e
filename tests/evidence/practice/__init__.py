"""Answers from the tools of a made-up practice: questions, what the tools return, and the answers.

`questions` and `rounds` say who asks what and which calls that takes, `results.json` what these calls return of
`practice.json` on 2026-11-26, and `answers_*.md` hold the answers with their slots (see tests/evidence/scene.py).
`python -m tests.evidence.practice.record` writes the results anew; tests/integration/test_practice_evidence.py says
when that is due.
"""
