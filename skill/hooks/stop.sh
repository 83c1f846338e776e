# Sourced by the Stop hook: the page is free for the next question as soon as this line is in the turn's log, so a short
# payload is written here; log_event.py, which takes every other one, needs four times as long. The tokens are counted
# beside it.
LC_ALL=C # lengths are bytes in every shell
IFS= read -r payload || [ -n "$payload" ] || exit 0
hand_to_python() {
  event=Stop
  printf '%s\n' "$payload" | "$PALIADIN_HOOK_PYTHON" -I -S "$CLAUDE_PLUGIN_ROOT/hooks/log_event.py" || { code=$?; command . "$CLAUDE_PLUGIN_ROOT/hooks/note.sh"; }
  exit 0
}
[ ${#payload} -le 3500 ] || hand_to_python # more than this could be torn into several writes
case $payload in *'"transcript_path":"'*'"prompt_id":"'*) ;; *) hand_to_python ;; esac
# A string's inner quotes are escaped in JSON, so neither key can be forged by the answer's text.
id=${payload#*'"prompt_id":"'}
id=${id%%'"'*}
transcript=${payload#*'"transcript_path":"'}
transcript=${transcript%%'"'*}
case $id in '' | *[!0-9a-f-]*) hand_to_python ;; esac
case $transcript in '' | *\\*) hand_to_python ;; esac
folder=$PALIADIN_HOOK_SESSION/prompts/$id
[ -d "$folder" ] || hand_to_python
at=$(date +%s%3N)
case $at in *[!0-9]*) at=$(date +%s)000 ;; esac # BSD's date has no milliseconds
times="\"at\":$at,"
if [ -r /proc/uptime ]; then # until when Claude Code waited, in 1/100 s, as in log_event.py; macOS does not say
  read -r uptime _ </proc/uptime
  ended=${uptime%.*}${uptime#*.}
  case $ended in '' | *[!0-9]*) ;; *) times="$times\"ended\":$ended," ;; esac
fi
umask 077
printf '\n{%s"hook":%s}\n' "$times" "$payload" >>"$folder/events.jsonl" || hand_to_python
if [ -f "$PALIADIN_HOOK_SESSION/permission_mode" ]; then # it is there where there is a status line
  mode=${payload#*'"permission_mode":"'}
  mode=${mode%%'"'*}
  case $mode in '' | *[!A-Za-z]*) ;; *) printf '%s' "$mode" >"$PALIADIN_HOOK_SESSION/permission_mode" ;; esac
fi
# Nothing but Python itself may run on: a shell that waited for it would keep the hook's output open.
if [ -f "$PALIADIN_HOOK_PYTHON" ] && [ -x "$PALIADIN_HOOK_PYTHON" ]; then
  "$PALIADIN_HOOK_PYTHON" -I -S "$CLAUDE_PLUGIN_ROOT/hooks/usage.py" Stop "$transcript" "$id" "$folder/events.jsonl" </dev/null >/dev/null 2>&1 &
else
  event=usage code=127 script=usage.py
  command . "$CLAUDE_PLUGIN_ROOT/hooks/note.sh"
fi
