import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { instructionsOf } from '../image/dockerfile.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const instructions = instructionsOf(join(root, 'Dockerfile'))
// Preparation runs on any Node and has no types.
const preparation = '../../prepare/npm.mjs'
const { namesEveryPackage }: { namesEveryPackage(lock: object): boolean } = await import(preparation)

/** Paths that an instruction copies from the repository, not from another stage. */
const copied = instructions
  .filter(({ name, words }) => name === 'COPY' && !words.some((word) => word.startsWith('--from=')))
  .flatMap(({ words }) => words.filter((word) => !word.startsWith('--')).slice(0, -1))

describe('the Dockerfile', () => {
  it('has instructions that every builder knows', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']
    expect(instructions.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  })

  it('copies what exists and what .dockerignore lets through', () => {
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const ignore = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    const open = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const isOpen = (path: string) =>
      open.some((one) => path === one || path.startsWith(`${one}/`) || one.startsWith(`${path}/`))
    expect(copied.filter((path) => !isOpen(path))).toEqual([])
  })

  it('runs `npm ci` only on lock files that name the packages of every platform, which it asks for', () => {
    const locks = ['', 'runtime/agent-browser', 'runtime/sentence-model'].map((folder) =>
      JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')),
    )
    const runs = instructions.filter(({ words }) => words.join(' ').includes('npm ci'))
    // Those of the root once more, for the bundle.
    expect(runs).toHaveLength(locks.length + 1)
    // Of the root, packages for development are left out, and with them those that some registries lack.
    expect(locks.slice(1).map(namesEveryPackage)).toEqual([true, true])
  })

  it('ends as a user without rights', () => {
    const users = instructions.filter(({ name }) => name === 'USER').map(({ words }) => words[0])
    expect(users.at(-1)).toBe('node')
  })
})

describe('the seccomp profile', () => {
  const profile: { syscalls: { names: string[]; action: string }[] } = JSON.parse(
    readFileSync(join(root, 'deploy/seccomp.json'), 'utf8'),
  )
  const named = (action: string) =>
    profile.syscalls.filter((rule) => rule.action === action).flatMap(({ names }) => names)

  it('allows what a sandbox is made of', () => {
    const needed = ['clone', 'clone3', 'unshare', 'mount', 'umount2', 'pivot_root', 'chroot', 'sethostname']
    expect(needed.filter((name) => !named('SCMP_ACT_ALLOW').includes(name))).toEqual([])
  })

  it('refuses what nobody needs, and says one thing of each call', () => {
    const refused = ['bpf', 'init_module', 'kexec_load', 'keyctl', 'perf_event_open', 'ptrace', 'userfaultfd']
    expect(refused.filter((name) => named('SCMP_ACT_ALLOW').includes(name))).toEqual([])
    const all = [...named('SCMP_ACT_ALLOW'), ...named('SCMP_ACT_ERRNO')]
    expect(all.length).toBe(new Set(all).size)
  })
})
