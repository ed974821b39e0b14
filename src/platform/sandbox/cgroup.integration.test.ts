import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findControlGroups } from './cgroup.ts'

/** Folder with files of the kernel. The test checks only what is written, not the reaction of the kernel. */
let root = ''
const paths = () => ({ root, own: join(root, 'own') })
const ownGroup = () => join(root, 'service')
const limits = { megabytes: 100, threads: 10, filesMegabytes: 20, files: 10 }
const text = (...path: string[]) => readFileSync(join(...path), 'utf8')

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'winnow-groups-'))
  writeFileSync(join(root, 'own'), '1:name=systemd:/\n0::/service\n')
  mkdirSync(ownGroup())
  for (const [file, content] of Object.entries({
    'cgroup.controllers': 'cpu memory pids\n',
    'cgroup.subtree_control': '\n',
    'cgroup.procs': `${process.pid}\n`,
  })) {
    writeFileSync(join(ownGroup(), file), content)
  }
})
afterEach(() => rmSync(root, { recursive: true }))

it('finds the group of this process, moves the process to a subgroup and creates sibling groups', () => {
  const group = findControlGroups(undefined, paths())?.open(limits)
  group?.join(4711)
  const folder = join(ownGroup(), `winnow-${process.pid}-1`)
  expect(text(ownGroup(), 'winnow-service', 'cgroup.procs')).toBe(String(process.pid))
  expect(text(ownGroup(), 'cgroup.subtree_control')).toBe('+memory +pids')
  expect(text(folder, 'memory.max')).toBe(String(140 * 1024 * 1024))
  expect(text(folder, 'cgroup.procs')).toBe('4711')
})

it('reports that the kernel has ended a group', () => {
  const group = findControlGroups(undefined, paths())?.open(limits)
  expect(group?.isOverMemory()).toBe(false)
  writeFileSync(join(ownGroup(), `winnow-${process.pid}-1`, 'memory.events'), 'max 3\noom 1\noom_kill 2\n')
  expect(group?.isOverMemory()).toBe(true)
})

it.each([
  ['without the memory', () => writeFileSync(join(ownGroup(), 'cgroup.controllers'), 'cpu\n')],
  ['that others live in', () => writeFileSync(join(ownGroup(), 'cgroup.procs'), `1\n${process.pid}\n`)],
  ['that is not there', () => rmSync(ownGroup(), { recursive: true })],
])('does not change a group %s', (_, breakGroup) => {
  breakGroup()
  expect(findControlGroups(undefined, paths())).toBeUndefined()
  expect(existsSync(join(ownGroup(), 'winnow-service'))).toBe(false)
})

it('uses the configured folder', () => {
  writeFileSync(join(ownGroup(), 'cgroup.procs'), '')
  expect(findControlGroups(ownGroup(), { root: '/none', own: '/none' })?.open(limits)).toBeDefined()
  expect(existsSync(join(ownGroup(), 'winnow-service'))).toBe(false)
})
