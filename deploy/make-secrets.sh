#!/bin/sh
# Writes random secrets for compose.yaml into the folder secrets/. What exists is left alone, so it may run again.
set -eu
cd "$(dirname "$0")/.."
umask 077
mkdir -p secrets

random() {
  od -A n -t x1 -N "$1" /dev/urandom | tr -d ' \n'
}
# The folder is closed to other users; the files are open because a container mounts them alone, for a user of its own.
write() {
  [ -e "secrets/$1" ] && return
  printf '%s\n' "$2" >"secrets/$1"
  chmod 644 "secrets/$1"
  echo "secrets/$1"
}

write api-key "fc-$(random 16)"
write postgres-password "$(random 24)"
write database-url "postgres://winnow:$(cat secrets/postgres-password)@postgres:5432/winnow"
write s3-secret-key "$(random 24)"
write blobs.env "ROOT_SECRET_ACCESS_KEY=$(cat secrets/s3-secret-key)"
