import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { instructionsOf } from '../image/dockerfile.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const instructions = instructionsOf(join(root, 'Dockerfile'))
// The setup scripts run on any Node and have no types.
const setupScript = '../../prepare/npm.mjs'
const { hasEveryPackage }: { hasEveryPackage(lock: object): boolean } = await import(setupScript)

/** Paths that an instruction copies from the repository, not from another stage. */
const copiedPaths = instructions
  .filter(({ name, words }) => name === 'COPY' && !words.some((word) => word.startsWith('--from=')))
  .flatMap(({ words }) => words.filter((word) => !word.startsWith('--')).slice(0, -1))

describe('the Dockerfile', () => {
  it('has only instructions that every builder supports', () => {
    const supported = [
      'FROM',
      'WORKDIR',
      'COPY',
      'RUN',
      'ENV',
      'USER',
      'VOLUME',
      'EXPOSE',
      'HEALTHCHECK',
      'CMD',
    ]
    expect(instructions.map(({ name }) => name).filter((name) => !supported.includes(name))).toEqual([])
  })

  it('copies only existing paths that .dockerignore allows', () => {
    expect(copiedPaths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const ignore = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    const allowed = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const isAllowed = (path: string) =>
      allowed.some((entry) => path === entry || path.startsWith(`${entry}/`) || entry.startsWith(`${path}/`))
    expect(copiedPaths.filter((path) => !isAllowed(path))).toEqual([])
  })

  it('runs `npm ci` only with lock files that name the packages of every platform', () => {
    const locks = ['', 'runtime/agent-browser', 'runtime/sentence-model'].map((folder) =>
      JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')),
    )
    const runs = instructions.filter(({ words }) => words.join(' ').includes('npm ci'))
    // The dependencies of the root are installed a second time, for the bundle.
    expect(runs).toHaveLength(locks.length + 1)
    // The root installs no development packages, and so needs none of the packages that some registries lack.
    expect(locks.slice(1).map(hasEveryPackage)).toEqual([true, true])
  })

  it('ends as an unprivileged user', () => {
    const users = instructions.filter(({ name }) => name === 'USER').map(({ words }) => words[0])
    expect(users.at(-1)).toBe('node')
  })
})

describe('the seccomp profile', () => {
  const profile: { syscalls: { names: string[]; action: string }[] } = JSON.parse(
    readFileSync(join(root, 'deploy/seccomp.json'), 'utf8'),
  )
  const syscallsWith = (action: string) =>
    profile.syscalls.filter((rule) => rule.action === action).flatMap(({ names }) => names)

  it('allows the system calls that a sandbox needs', () => {
    const needed = ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'chroot', 'sethostname']
    expect(needed.filter((name) => !syscallsWith('SCMP_ACT_ALLOW').includes(name))).toEqual([])
  })

  it('denies unneeded system calls, and lists each call once', () => {
    const denied = ['bpf', 'init_module', 'kexec_load', 'keyctl', 'perf_event_open', 'ptrace', 'userfaultfd']
    expect(denied.filter((name) => syscallsWith('SCMP_ACT_ALLOW').includes(name))).toEqual([])
    const all = [...syscallsWith('SCMP_ACT_ALLOW'), ...syscallsWith('SCMP_ACT_ERRNO')]
    expect(all.length).toBe(new Set(all).size)
  })
})
