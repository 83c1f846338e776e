from paliadin.cli import main

main()
