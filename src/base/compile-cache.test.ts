import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compileCacheEnvironment } from './compile-cache.ts'

test('a program finds even its first file compiled, when one before it has kept it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-compiled-'))
  try {
    const program = join(folder, 'first.mts')
    writeFileSync(program, "import { flushCompileCache } from 'node:module'\nflushCompileCache()\n")
    const said = async () => {
      const env = { ...compileCacheEnvironment(), NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
      return (await promisify(execFile)(process.execPath, [program], { env })).stderr
    }
    await said()
    expect(await said()).toMatch(/code cache for ESM \S+first\.mts was accepted/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
