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

describe('the engine of all lists', () => {
  it('is kept, so that it is built once only', async () => {
    const built = await serialisedEngine(files)
    const kept = await serialisedEngine(files)
    expect([built.isFromCache, kept.isFromCache]).toEqual([false, true])
    expect(kept.bytes).toEqual(built.bytes)
  })

  it('is built anew when a list has changed', async () => {
    await serialisedEngine(files)
    await writeFile(join(folder, 'lists/one.txt'), '||two.example^')
    expect((await serialisedEngine(files)).isFromCache).toBe(false)
  })

  it('is built anew when the kept one is damaged', async () => {
    const path = join(folder, 'kept/engine')
    await serialisedEngine(files)
    const kept = await readFile(path)
    kept[kept.length - 1] = 1 + (kept.at(-1) ?? 0)
    await writeFile(path, kept)
    expect((await serialisedEngine(files)).isFromCache).toBe(false)
  })

  it('is there even when it cannot be kept', async () => {
    const built = await serialisedEngine({ ...files, cacheFile: join(files.seedFile, 'engine') })
    expect(built.bytes.length).toBeGreaterThan(0)
    expect(built.remarks).toEqual([expect.stringContaining('not stored')])
  })

  it('takes text files for lists and leaves out what is not one', async () => {
    await writeFile(join(folder, 'lists/badlists.txt'), 'https://lists.example/bad.txt')
    await writeFile(join(folder, 'lists/readme.md'), 'Read me.')
    await mkdir(join(folder, 'lists/folder.txt'))
    const built = await serialisedEngine({ ...files, folders: [...files.folders, join(folder, 'absent')] })
    expect(built.lists).toBe(1)
    expect(built.remarks).toEqual([expect.stringContaining('folder.txt was left out')])
  })
})
