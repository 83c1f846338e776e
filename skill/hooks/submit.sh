# Sourced by the UserPromptSubmit hook, which Claude waits for before it asks the model: a short prompt with an envelope
# is bound to its turn here, in about 3 ms; log_event.py takes every other prompt, in 15 ms. bind() there explains the links.
LC_ALL=C # lengths are bytes in every shell
IFS= read -r payload || [ -n "$payload" ] || exit 0
case $payload in
*'"prompt":"/'*) [ ! -f "$PALIADIN_HOOK_SESSION/own_command" ] || { command . "$CLAUDE_PLUGIN_ROOT/hooks/own_command.sh" >&3; exit 0; } ;;
esac
hand_to_python() {
  event=UserPromptSubmit
  printf '%s\n' "$payload" | "$PALIADIN_HOOK_PYTHON" -I -S "$CLAUDE_PLUGIN_ROOT/hooks/log_event.py" || { code=$?; command . "$CLAUDE_PLUGIN_ROOT/hooks/note.sh"; }
  exit 0
}
[ ${#payload} -le 3500 ] || hand_to_python # more than this could be torn into several writes
case $payload in *'"prompt_id":"'*'"prompt":"[PALIADIN:'*) ;; *) hand_to_python ;; esac
# A string's inner quotes are escaped in JSON, so neither key can be forged by the prompt's text.
id=${payload#*'"prompt_id":"'}
id=${id%%'"'*}
turn=${payload#*'"prompt":"[PALIADIN:'}
turn=${turn%%']'*}
case $id$turn in *[!0-9a-f-]*) hand_to_python ;; esac
folder=$PALIADIN_HOOK_SESSION/prompts/$id
[ -n "$id" ] && [ -n "$turn" ] && [ ! -d "$folder" ] && [ -d "$PALIADIN_HOOK_SESSION/expected/$turn" ] || hand_to_python
mv "$PALIADIN_HOOK_SESSION/expected/$turn" "$folder" || hand_to_python
umask 077
printf '%s' "$id" >"$folder/prompt_id" && printf '\n{"hook":%s}\n' "$payload" >>"$folder/events.jsonl" || hand_to_python
if [ -f "$PALIADIN_HOOK_SESSION/permission_mode" ]; then # it is there where there is a status line
  mode=${payload#*'"permission_mode":"'}
  mode=${mode%%'"'*}
  case $mode in '' | *[!A-Za-z]*) ;; *) printf '%s' "$mode" >"$PALIADIN_HOOK_SESSION/permission_mode" ;; esac
fi
