# Sourced by the hooks UserPromptSubmit and UserPromptExpansion while Paliadin types one of Claude Code's own commands:
# own_command is there for as long. Those call neither hook, so this is a file that has taken the command's place. It is
# not run, and the missing own_command tells Paliadin. One that a killed daemon left refuses one command more.
rm -f "$PALIADIN_HOOK_SESSION/own_command" && printf '%s' '{"decision":"block","reason":"Paliadin typed a command of Claude Code'"'"'s own, and something else would have been run."}'
