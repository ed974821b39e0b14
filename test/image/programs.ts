import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folder for the base, the images and the containers. It may be deleted while nothing runs. */
export const folder = process.env.IMAGE_FOLDER ?? join(tmpdir(), 'winnow-image')
mkdirSync(folder, { recursive: true })

const store = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')]

/** Runs a program to its end, with its output in this terminal. Throws if it fails. */
export function run(program: string, args: string[], cwd = folder): void {
  console.log(`  $ ${[program, ...args].join(' ')}`)
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** Returns the output of a program. */
export function ask(program: string, args: string[], cwd = folder): string {
  return execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1e8 }).trim()
}

export function succeeds(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

export const buildah = (...args: string[]) => run('buildah', [...store, ...args])
export const askBuildah = (...args: string[]) => ask('buildah', [...store, ...args])
export const hasImage = (name: string) => succeeds('buildah', [...store, 'inspect', '--type', 'image', name])
export const canPull = (name: string) => succeeds('buildah', [...store, 'pull', '--quiet', name])

/** Uses runc, because it supports both kinds of cgroups; crun supports only one. */
export const podman = (...args: string[]) =>
  ask('podman', [...store, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', ...args])

export function requirePrograms(names: string[]): void {
  const missing = names.filter((name) => !succeeds('which', [name]))
  if (missing.length === 0) return
  console.error(`Missing: ${missing.join(', ')}. On Debian: apt-get install buildah podman runc mmdebstrap`)
  process.exit(1)
}
