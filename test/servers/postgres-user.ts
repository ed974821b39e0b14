import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface SystemUser {
  uid: number
  gid: number
}

/** Returns the user that PostgreSQL must run as. PostgreSQL does not run as root, so root uses the user `nobody`. */
export function postgresUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
}

/** Creates a temporary folder that this user can access and write. */
export function folderFor(user: SystemUser | undefined): string {
  const parent = user && !isOpenToAll(tmpdir()) ? '/tmp' : tmpdir()
  const folder = mkdtempSync(join(parent, 'winnow-postgres-'))
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

function idOfNobody(flag: string) {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}

function isOpenToAll(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0
  return isOpen && (path === dirname(path) || isOpenToAll(dirname(path)))
}
