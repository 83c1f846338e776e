"""Scenes by subject: questions, results of tools, and answers in whose text stands what may be invented."""
