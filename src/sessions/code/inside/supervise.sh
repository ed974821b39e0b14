# Starts one runner per language on request of the service, and reports when a runner has ended. On request, it also
# writes a token to the outputs of a runner, which marks the end of the output of a call. The supervisor runs as long
# as the sandbox, and is a shell script because a shell uses little memory.
#
# The service sends lines on descriptor 3:
#   start LANGUAGE TOKEN CONTROL OUTPUT ERRORS   starts a runner; the last three are the descriptors of its channels
#   mark LANGUAGE TOKEN                          writes the token after everything that the runner has written
# When a runner has ended, the supervisor sends `ended LANGUAGE CODE`.
set -u
folder=${BASH_SOURCE[0]%/*}
declare -A outputs errors

# Closes all descriptors above 2 except the given one. Otherwise, one language could respond to a call of another.
close_descriptors_except() {
  local descriptor
  for descriptor in /proc/self/fd/*; do
    descriptor=${descriptor##*/}
    ((descriptor < 3)) || [[ $descriptor == "${1-}" ]] || eval "exec $descriptor>&-"
  done
}

start_runner() {
  local language=$1 token=$2 control=$3 output=$4 error=$5 descriptor
  # The outputs are pipes, because the channels to the service are sockets, which cannot be opened as /dev/stdout.
  if [[ -z ${outputs[$language]-} ]]; then
    exec {descriptor}> >(exec >&"$output"; close_descriptors_except; exec cat)
    outputs[$language]=$descriptor
    exec {descriptor}> >(exec >&"$error"; close_descriptors_except; exec cat)
    errors[$language]=$descriptor
  fi
  {
    (close_descriptors_except "$control"; exec_runner "$language" "$control" "$token") </dev/null >&"${outputs[$language]}" 2>&"${errors[$language]}"
    printf 'ended %s %s\n' "$language" "$?" >&3
  } 2>/dev/null &
}

exec_runner() {
  case $1 in
    node) exec node --max-old-space-size=512 --max-semi-space-size=4 "$folder/run-node.mjs" "$2" "$3" ;;
    python) exec python3 "$folder/run-python.py" "$2" "$3" ;;
    bash) exec bash "$folder/run-bash.sh" "$2" "$3" ;;
  esac
}

mkdir -p "$HOME" && cd /tmp
while read -r -u 3 command language arguments; do
  case $command in
    start) start_runner "$language" $arguments ;;
    mark)
      # The pipe is opened again, because a runner may have made its own descriptors non-blocking, and writes to a full
      # pipe would then fail.
      printf %s "$arguments" >"/proc/self/fd/${outputs[$language]}"
      printf %s "$arguments" >"/proc/self/fd/${errors[$language]}"
      ;;
  esac
done
