# Sourced by the status line that Paliadin gives Claude Code, with its figures as standard input: keeps them as the
# session's status.json, and lets the owner's own status line draw what it draws. It runs with each message, so it uses
# what the shell has built in, one `cat` and one `mv`. Without a status line of the owner's it prints nothing, and Claude
# Code draws no row. The locale and the umask of the owner's command stay as they are: the changes are a subshell's.
payload=$(cat)
(
  LC_ALL=C # ranges are those of ASCII in every shell
  umask 077
  [ -d "$PALIADIN_HOOK_SESSION" ] && [ "${#payload}" -le 65536 ] || exit 0
  # A string's inner quotes are escaped in JSON, so neither key can be forged by another value.
  id=${payload#*'"session_id":"'}
  id=${id%%'"'*}
  cost=${payload#*'"total_cost_usd":'}
  cost=${cost%%[!0-9.eE+-]*}
  case $id$PALIADIN_HOOK_RUN in '' | *[!0-9a-f-]*) exit 0 ;; esac
  [ -n "$id" ] && [ -n "$cost" ] && [ -n "$PALIADIN_HOOK_RUN" ] || exit 0
  # Claude Code counts from where this process or this session of its began: at 0, or at what it remembers. So the first
  # figure of each is kept beside the last, and both go to costs.jsonl once there is another one.
  file=$PALIADIN_HOOK_SESSION/status.json first=$cost before=
  [ -f "$file" ] && IFS= read -r before <"$file"
  case $before in
  '{"run":"'"$PALIADIN_HOOK_RUN"'","id":"'"$id"'","first":'*)
    first=${before#*'"first":'}
    first=${first%%,*}
    ;;
  '{"run":"'*) printf '%s}\n' "${before%%',"status":'*}" >>"$PALIADIN_HOOK_SESSION/costs.jsonl" || exit 0 ;;
  esac
  # One write, and a name of its own: a reader sees the old file or the new one.
  printf '{"run":"%s","id":"%s","first":%s,"last":%s,"status":%s}\n' "$PALIADIN_HOOK_RUN" "$id" "$first" "$cost" "$payload" >"$file.$$" && exec mv -f "$file.$$" "$file"
) >/dev/null 2>&1
[ -n "$PALIADIN_HOOK_STATUS_LINE" ] || exit 0
exec sh -c "$PALIADIN_HOOK_STATUS_LINE" <<PALIADIN_END
$payload
PALIADIN_END
