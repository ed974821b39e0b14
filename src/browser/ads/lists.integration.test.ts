import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type ListFiles, serialisedEngine } from './lists.ts'

let folder: string
let files: ListFiles
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'winnow-lists-'))
  files = {
    seedFile: join(folder, 'seed.txt'),
    folders: [join(folder, 'lists')],
    cacheFile: join(folder, 'kept/engine'),
  }
  await mkdir(join(folder, 'lists'))
  await writeFile(files.seedFile, '||ads.example^')
  await writeFile(join(folder, 'lists/one.txt'), '||one.example^')
  return () => rm(folder, { recursive: true })
})

describe('serialisedEngine', () => {
  it('builds the engine once and then reads it from the cache', async () => {
    const built = await serialisedEngine(files)
    const cached = await serialisedEngine(files)
    expect([built.isFromCache, cached.isFromCache]).toEqual([false, true])
    expect(cached.bytes).toEqual(built.bytes)
  })

  it('builds the engine again after a list has changed', async () => {
    await serialisedEngine(files)
    await writeFile(join(folder, 'lists/one.txt'), '||two.example^')
    expect((await serialisedEngine(files)).isFromCache).toBe(false)
  })

  it('builds the engine again if the cached one is damaged', async () => {
    const path = join(folder, 'kept/engine')
    await serialisedEngine(files)
    const cached = await readFile(path)
    cached[cached.length - 1] = 1 + (cached.at(-1) ?? 0)
    await writeFile(path, cached)
    expect((await serialisedEngine(files)).isFromCache).toBe(false)
  })

  it('returns the engine if the cache is not writable', async () => {
    const built = await serialisedEngine({ ...files, cacheFile: join(files.seedFile, 'engine') })
    expect(built.bytes.length).toBeGreaterThan(0)
    expect(built.remarks).toEqual([expect.stringContaining('not stored')])
  })

  it('reads .txt files except badlists.txt as lists, and skips unreadable ones', async () => {
    await writeFile(join(folder, 'lists/badlists.txt'), 'https://lists.example/bad.txt')
    await writeFile(join(folder, 'lists/readme.md'), 'Read me.')
    await mkdir(join(folder, 'lists/folder.txt'))
    const built = await serialisedEngine({ ...files, folders: [...files.folders, join(folder, 'absent')] })
    expect(built.lists).toBe(1)
    expect(built.remarks).toEqual([expect.stringContaining('folder.txt was left out')])
  })
})
