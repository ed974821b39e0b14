import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findControlGroups } from './cgroup.ts'

/** Files as the kernel shows them: enough to see what is written where. What the kernel does then is not shown here. */
let root = ''
const paths = () => ({ root, own: join(root, 'own') })
const own = () => join(root, 'service')
const limits = { megabytes: 100, threads: 10, filesMegabytes: 20, files: 10 }
const text = (...path: string[]) => readFileSync(join(...path), 'utf8')

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'winnow-groups-'))
  writeFileSync(join(root, 'own'), '1:name=systemd:/\n0::/service\n')
  mkdirSync(own())
  for (const [file, content] of Object.entries({
    'cgroup.controllers': 'cpu memory pids\n',
    'cgroup.subtree_control': '\n',
    'cgroup.procs': `${process.pid}\n`,
  })) {
    writeFileSync(join(own(), file), content)
  }
})
afterEach(() => rmSync(root, { recursive: true }))

it('finds the group of this process, moves aside in it and makes others beside itself', () => {
  const group = findControlGroups(undefined, paths())?.open(limits)
  group?.join(4711)
  const folder = join(own(), `winnow-${process.pid}-1`)
  expect(text(own(), 'winnow-service', 'cgroup.procs')).toBe(String(process.pid))
  expect(text(own(), 'cgroup.subtree_control')).toBe('+memory +pids')
  expect(text(folder, 'memory.max')).toBe(String(140 * 1024 * 1024))
  expect(text(folder, 'cgroup.procs')).toBe('4711')
})

it('tells that the kernel has ended a group', () => {
  const group = findControlGroups(undefined, paths())?.open(limits)
  expect(group?.isOverMemory()).toBe(false)
  writeFileSync(join(own(), `winnow-${process.pid}-1`, 'memory.events'), 'max 3\noom 1\noom_kill 2\n')
  expect(group?.isOverMemory()).toBe(true)
})

it.each([
  ['without the memory', () => writeFileSync(join(own(), 'cgroup.controllers'), 'cpu\n')],
  ['that others live in', () => writeFileSync(join(own(), 'cgroup.procs'), `1\n${process.pid}\n`)],
  ['that is not there', () => rmSync(own(), { recursive: true })],
])('leaves a group alone %s', (_, spoil) => {
  spoil()
  expect(findControlGroups(undefined, paths())).toBeUndefined()
  expect(existsSync(join(own(), 'winnow-service'))).toBe(false)
})

it('takes the folder that is named', () => {
  writeFileSync(join(own(), 'cgroup.procs'), '')
  expect(findControlGroups(own(), { root: '/none', own: '/none' })?.open(limits)).toBeDefined()
  expect(existsSync(join(own(), 'winnow-service'))).toBe(false)
})
