import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { syncedLog } from './sqlite-log.ts'

describe('the log of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-log-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is brought to the disk for all who ask', async () => {
    const path = join(folder, 'written')
    writeFileSync(path, 'a commit')
    const log = syncedLog(path)
    await Promise.all([log.sync(), log.sync()])
    await log.sync()
    await log.stop()
  })

  it('says so when it cannot be, and only as long as it cannot', async () => {
    const path = join(folder, 'late')
    const log = syncedLog(path)
    await expect(log.sync()).rejects.toThrow('ENOENT')
    writeFileSync(path, 'a commit')
    await log.sync()
    await log.stop()
  })

  it('does not begin for a commit that came after it began', async () => {
    const path = join(folder, 'begun')
    writeFileSync(path, 'a commit')
    const log = syncedLog(path)
    const ended: string[] = []
    const first = log.sync().then(() => ended.push('first'))
    // The first has begun by now.
    await Promise.resolve()
    await Promise.resolve()
    const second = log.sync().then(() => ended.push('second'))
    await Promise.all([first, second])
    expect(ended).toEqual(['first', 'second'])
    await log.stop()
  })
})
