# Runs one shell after the other: an order is a line `NONCE LENGTH` and LENGTH bytes of code, the answer is a line of JSON.
set -u
control=$1 word=$2
code=$HOME/.code

printf '\n{"ready":true}\n' >&"$control"
# What stands before the word was meant for a runner that has ended.
while read -r -u "$control" line && [[ $line != "$word" ]]; do :; done
while read -r -u "$control" nonce length; do
  head -c "$length" <&"$control" >"$code"
  # Evaluated rather than run as a file, so that messages begin with "bash: line 1", as they do for `bash -c`.
  bash -c 'eval "$(<"$HOME/.code")"' {control}>&-
  printf '\n{"nonce":"%s","exitCode":%d}\n' "$nonce" "$?" >&"$control"
done
