#!/bin/sh
# Writes random secrets for compose.yaml into the folder secrets/. Existing files are not changed, so it can run again.
set -eu
cd "$(dirname "$0")/.."
umask 077
mkdir -p secrets

random() {
  od -A n -t x1 -N "$1" /dev/urandom | tr -d ' \n'
}
# Only the owner can read the folder. The files are readable for all, because a container mounts them for its own user.
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
