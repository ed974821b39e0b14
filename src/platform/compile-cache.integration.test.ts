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

test('a program loads even its first file from the compile cache of an earlier run', async () => {
  const program = join(folder, 'first.mts')
  writeFileSync(program, "import { flushCompileCache } from 'node:module'\nflushCompileCache()\n")
  const debugOutput = async () => {
    const env = { ...compileCacheEnvironment(), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    return (await run(process.execPath, [program], { env })).stderr
  }
  await debugOutput()
  expect(await debugOutput()).toMatch(/code cache for ESM \S+first\.mts was accepted/)
})

/** Returns the compile cache folder of a process with this environment. */
async function cacheFolderWith(environment: Record<string, string>): Promise<string> {
  const source = new URL('./compile-cache.ts', import.meta.url).href
  const program = `const { compileCacheEnvironment } = await import('${source}')
    console.log(compileCacheEnvironment().NODE_COMPILE_CACHE ?? 'nowhere')`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: environment,
  })
  return stdout.trim()
}

const privateFolder = () => join(folder, `winnow-compiled-${process.getuid?.()}`)

test('the cache folder is accessible for this user only', async () => {
  expect(await cacheFolderWith({ TMPDIR: folder })).toBe(privateFolder())
  expect(statSync(privateFolder()).mode & 0o777).toBe(0o700)
})

test('a folder that other users can write to is not used', async () => {
  mkdirSync(privateFolder())
  chmodSync(privateFolder(), 0o777)
  expect(await cacheFolderWith({ TMPDIR: folder })).toBe('nowhere')
})

test('a link to another folder is not used', async () => {
  mkdirSync(join(folder, 'other'), { mode: 0o700 })
  symlinkSync(join(folder, 'other'), privateFolder())
  expect(await cacheFolderWith({ TMPDIR: folder })).toBe('nowhere')
})

test.runIf(process.getuid?.() === 0)('a folder of another user is not used', async () => {
  mkdirSync(privateFolder(), { mode: 0o700 })
  chownSync(privateFolder(), 65_534, 65_534)
  expect(await cacheFolderWith({ TMPDIR: folder })).toBe('nowhere')
})

test('the folder in NODE_COMPILE_CACHE is used', async () => {
  const configured = join(folder, 'named')
  expect(await cacheFolderWith({ TMPDIR: folder, NODE_COMPILE_CACHE: configured })).toBe(configured)
})
