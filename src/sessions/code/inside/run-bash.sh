# Runs each call in a new shell, one call after the other. A call is a line `NONCE LENGTH` and LENGTH bytes of code. The
# response is a line of JSON that repeats the nonce.
set -u
control=$1 token=$2
code=$HOME/.code

printf '\n{"ready":true}\n' >&"$control"
# Data before the token was meant for a runner that has ended.
while read -r -u "$control" line && [[ $line != "$token" ]]; do :; done
while read -r -u "$control" nonce length; do
  head -c "$length" <&"$control" >"$code"
  # The code is evaluated instead of run as a file, so that messages begin with "bash: line 1", as with `bash -c`.
  bash -c 'eval "$(<"$HOME/.code")"' {control}>&-
  printf '\n{"nonce":"%s","exitCode":%d}\n' "$nonce" "$?" >&"$control"
done
