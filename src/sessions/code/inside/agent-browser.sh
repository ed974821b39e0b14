#!/bin/bash
# Runs agent-browser. Adds the commands that callers of this API use and that the program does not have.
program=/run/winnow/agent-browser-program

if [[ ! -x $program ]]; then
  echo 'agent-browser: not installed on this service. Its operator starts it once with a package registry in reach, or sets AGENT_BROWSER_PATH.' >&2
  exit 127
fi
case "${1-} ${2-} ${4-}" in
  'scrape '*) set -- read "${@:2}" ;;
  'find '*' type') set -- "${@:1:3}" fill "${@:5}" ;;
  'wait @'*)
    # Polls for 25 seconds, as long as the program waits for a selector.
    for ((attempt = 0; attempt < 100; attempt++)); do
      visible=$("$program" is visible "$2") || exit
      [[ $visible == true ]] && exec echo '✓ Done'
      sleep 0.25
    done
    echo "✗ Wait timed out: $2 is not visible" >&2
    exit 1
    ;;
esac
exec "$program" "$@"
