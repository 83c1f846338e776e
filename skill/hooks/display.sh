# Sourced by the MessageDisplay hook: appends its payload (standard input) to the turn's log. It runs synchronously in
# Claude's own display, so it uses only what the shell has built in, and one `date` for the first piece of a message.
# What it cannot write, log_event.py tries again, and notes why not. It prints nothing; hooks.json sets the exit code 0.
LC_ALL=C # lengths are bytes in every shell
IFS= read -r payload || [ -n "$payload" ] || exit 0
case $payload in *'"prompt_id":"'*) ;; *) exit 0 ;; esac
# A string's inner quotes are escaped in JSON, so this key cannot be forged by the text that is displayed.
id=${payload#*'"prompt_id":"'}
id=${id%%'"'*}
case $id in '' | *[!0-9a-f-]*) exit 0 ;; esac
folder=$PALIADIN_HOOK_SESSION/prompts/$id
hand_to_python() {
  event=MessageDisplay
  printf '%s\n' "$payload" | "$PALIADIN_HOOK_PYTHON" -I -S "$CLAUDE_PLUGIN_ROOT/hooks/log_event.py" || { code=$?; command . "$CLAUDE_PLUGIN_ROOT/hooks/note.sh"; }
  exit 0
}
[ -d "$folder" ] || [ -L "$folder" ] || hand_to_python # a prompt of which no hook has told: it gets a turn there
[ -d "$folder" ] || exit 0                             # the turn was deleted
[ ${#payload} -le 3500 ] || hand_to_python # more than this could be torn into several writes
times=
case $payload in
*'"index":0,'*)
  at=$(date +%s%3N)
  case $at in *[!0-9]*) at=$(date +%s)000 ;; esac # BSD's date has no milliseconds
  times="\"at\":$at,"
  ;;
esac
case $payload in
*'"index":0,'* | *'"index":1,'*) # the second piece may overtake the first
  if [ -r "/proc/$$/stat" ]; then # when this process was started, as in log_event.py; macOS does not say
    read -r stat <"/proc/$$/stat"
    set -- ${stat##*) } # the fields behind the program's name, which may contain blanks
    case ${20} in '' | *[!0-9]*) ;; *) times="$times\"started\":${20}," ;; esac
  fi
  ;;
esac
printf '\n{%s"hook":%s}\n' "$times" "$payload" >>"$folder/events.jsonl" || hand_to_python
