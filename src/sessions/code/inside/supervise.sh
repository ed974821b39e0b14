# Starts one runner per language when the service asks for it, says when one has ended, and marks in its output where
# that of a call ends. A shell, because it lives as long as the sandbox and takes little memory.
#
# The service speaks to it in lines, on descriptor 3:
#   start LANGUAGE WORD CONTROL OUTPUT ERRORS   the last three are the descriptors that lead to the service
#   mark LANGUAGE WORD                          writes the word behind everything its runner has written
# and hears `ended LANGUAGE CODE`.
set -u
here=${BASH_SOURCE[0]%/*}
declare -A outputs errors

# No process holds a descriptor of another: one language cannot answer an order to another.
keep_only() {
  local descriptor
  for descriptor in /proc/self/fd/*; do
    descriptor=${descriptor##*/}
    ((descriptor < 3)) || [[ $descriptor == "${1-}" ]] || eval "exec $descriptor>&-"
  done
}

start() {
  local language=$1 word=$2 control=$3 output=$4 error=$5 descriptor
  # Real pipes, made once: the channels to the service are sockets, and those cannot be opened as /dev/stdout.
  if [[ -z ${outputs[$language]-} ]]; then
    exec {descriptor}> >(exec >&"$output"; keep_only; exec cat)
    outputs[$language]=$descriptor
    exec {descriptor}> >(exec >&"$error"; keep_only; exec cat)
    errors[$language]=$descriptor
  fi
  {
    (keep_only "$control"; run "$language" "$control" "$word") </dev/null >&"${outputs[$language]}" 2>&"${errors[$language]}"
    printf 'ended %s %s\n' "$language" "$?" >&3
  } 2>/dev/null &
}

run() {
  case $1 in
    node) exec node --max-old-space-size=512 --max-semi-space-size=4 "$here/run-node.mjs" "$2" "$3" ;;
    python) exec python3 "$here/run-python.py" "$2" "$3" ;;
    bash) exec bash "$here/run-bash.sh" "$2" "$3" ;;
  esac
}

mkdir -p "$HOME" && cd /tmp
while read -r -u 3 command language rest; do
  case $command in
    start) start "$language" $rest ;;
    mark)
      # Opens the pipe again: a runner may have made its own descriptors non-blocking, so that writes fail when it is full.
      printf %s "$rest" >"/proc/self/fd/${outputs[$language]}"
      printf %s "$rest" >"/proc/self/fd/${errors[$language]}"
      ;;
  esac
done
