import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { withTemporaryFolder, writeTemporaryFile, writeTemporaryStream } from './temporary-files.ts'

/** Device that accepts every open and fails every write, for every user. */
const fullFile = '/dev/full'
const full = { code: 'TEMPORARY_FOLDER_FULL', status: 503, detail: { folder: 'TMPDIR' } }
const neverAborted = new AbortController().signal

describe('temporary files', () => {
  it('fail with TEMPORARY_FOLDER_FULL if the disk is full', async () => {
    await expect(writeTemporaryFile(fullFile, Buffer.from('text'))).rejects.toMatchObject(full)
    // The error of a single write arrives after the source has ended.
    const source = Readable.from([Buffer.from('text')])
    await expect(writeTemporaryStream(fullFile, source, neverAborted)).rejects.toMatchObject(full)
  })

  it('fail if fewer bytes are stored than were written', async () => {
    // This device accepts every write and stores nothing.
    await expect(writeTemporaryFile('/dev/null', Buffer.from('text'))).rejects.toMatchObject(full)
    const source = Readable.from([Buffer.from('text')])
    await expect(writeTemporaryStream('/dev/null', source, neverAborted)).rejects.toMatchObject(full)
  })

  it('are removed with their folder after a success and after an aborted write', async () => {
    const paths: string[] = []
    await withTemporaryFolder('test', async (folder) => {
      paths.push(folder)
      const path = join(folder, 'file')
      const chunks = [Buffer.alloc(100_000, 'a'), Buffer.from('end')]
      expect(await writeTemporaryStream(path, Readable.from(chunks), neverAborted)).toBe(100_003)
      expect((await readFile(path, 'utf8')).slice(-4)).toBe('aend')
    })
    const failed = withTemporaryFolder('test', async (folder) => {
      paths.push(folder)
      const abort = new AbortController()
      const endless = new Readable({ read: () => {} })
      const writes = writeTemporaryStream(join(folder, 'file'), endless, abort.signal)
      abort.abort()
      await writes
    })
    await expect(failed).rejects.toMatchObject({ name: 'AbortError' })
    expect(paths.filter((path) => existsSync(path))).toEqual([])
  })
})
