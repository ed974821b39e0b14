import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../platform/log.ts'
import { acquireTemporaryFolder } from './temporary-folder.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'winnow-test-'))
  vi.stubEnv('TMPDIR', parent)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(parent, { recursive: true })
})

describe('acquireTemporaryFolder()', () => {
  it('skips a folder whose lock cannot be opened because another process is removing it', async () => {
    const other = join(parent, 'winnow-process-other')
    mkdirSync(join(other, 'lock'), { recursive: true })
    const remove = await acquireTemporaryFolder(silentLog)
    const own = tmpdir()
    expect([existsSync(own), existsSync(other)]).toEqual([true, true])
    remove()
    expect(existsSync(own)).toBe(false)
  })

  it('removes the folder of a dead process first', async () => {
    const abandoned = join(parent, 'winnow-process-left')
    mkdirSync(abandoned)
    const remove = await acquireTemporaryFolder(silentLog)
    expect(existsSync(abandoned)).toBe(false)
    remove()
  })
})
