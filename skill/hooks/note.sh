# Sourced when log_event.py (or the $script) could not be run, with $event and the exit $code: adds a line to the session's hooks.log,
# as note.py does for every other failure.
log=$PALIADIN_HOOK_SESSION/hooks.log
size=$(wc -c <"$log") || size=0
umask 077
[ "$size" -gt 262144 ] || printf '%s %s: Python could not run %s, exit code %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$event" "${script:-log_event.py}" "$code" >>"$log"
