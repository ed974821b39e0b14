import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compileCacheEnvironment } from './compile-cache.ts'

const run = promisify(execFile)
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-compiled-test-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a program finds even its first file compiled, when one before it has kept it', async () => {
  const program = join(folder, 'first.mts')
  writeFileSync(program, "import { flushCompileCache } from 'node:module'\nflushCompileCache()\n")
  const said = async () => {
    const env = { ...compileCacheEnvironment(), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    return (await run(process.execPath, [program], { env })).stderr
  }
  await said()
  expect(await said()).toMatch(/code cache for ESM \S+first\.mts was accepted/)
})

/** Where a process with that folder for temporary files keeps its compiled code. */
async function placeWith(environment: Record<string, string>): Promise<string> {
  const source = new URL('./compile-cache.ts', import.meta.url).href
  const program = `const { compileCacheEnvironment } = await import('${source}')
    console.log(compileCacheEnvironment().NODE_COMPILE_CACHE ?? 'nowhere')`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
  })
  return stdout.trim()
}

const own = () => join(folder, `winnow-compiled-${process.getuid?.()}`)

test('compiled code is kept where only this user can write', async () => {
  expect(await placeWith({ TMPDIR: folder })).toBe(own())
  expect(statSync(own()).mode & 0o777).toBe(0o700)
})

test('a folder that others can write is not used', async () => {
  mkdirSync(own())
  chmodSync(own(), 0o777)
  expect(await placeWith({ TMPDIR: folder })).toBe('nowhere')
})

test('a link to another folder is not used', async () => {
  mkdirSync(join(folder, 'other'), { mode: 0o700 })
  symlinkSync(join(folder, 'other'), own())
  expect(await placeWith({ TMPDIR: folder })).toBe('nowhere')
})

test.runIf(process.getuid?.() === 0)('a folder of another user is not used', async () => {
  mkdirSync(own(), { mode: 0o700 })
  chownSync(own(), 65_534, 65_534)
  expect(await placeWith({ TMPDIR: folder })).toBe('nowhere')
})

test('the folder that the operator names is used', async () => {
  const named = join(folder, 'named')
  expect(await placeWith({ TMPDIR: folder, NODE_COMPILE_CACHE: named })).toBe(named)
})
