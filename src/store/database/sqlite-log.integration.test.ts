import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createWalSync } from './sqlite-log.ts'

describe('createWalSync', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-log-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('syncs the log for all callers', async () => {
    const path = join(folder, 'written')
    writeFileSync(path, 'a commit')
    const log = createWalSync(path)
    await Promise.all([log.sync(), log.sync()])
    await log.sync()
    await log.stop()
  })

  it('rejects as long as the file is missing', async () => {
    const path = join(folder, 'late')
    const log = createWalSync(path)
    await expect(log.sync()).rejects.toThrow('ENOENT')
    writeFileSync(path, 'a commit')
    await log.sync()
    await log.stop()
  })

  it('starts a new sync for a commit after the start of the running one', async () => {
    const path = join(folder, 'begun')
    writeFileSync(path, 'a commit')
    const log = createWalSync(path)
    const ended: string[] = []
    const first = log.sync().then(() => ended.push('first'))
    // The first sync has started by now.
    await Promise.resolve()
    await Promise.resolve()
    const second = log.sync().then(() => ended.push('second'))
    await Promise.all([first, second])
    expect(ended).toEqual(['first', 'second'])
    await log.stop()
  })
})
