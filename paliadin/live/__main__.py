"""Run the pass-through: `python -m paliadin.live <configuration>`, or a copy of this package's folder."""

from paliadin.live.run import main

main()
