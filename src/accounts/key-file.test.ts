import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keyFile } from './key-file.ts'

it('writes the complete key, or leaves no file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-test-'))
  try {
    keyFile(folder).write('fc-key')
    expect(keyFile(folder).read()).toBe('fc-key')
    const other = join(folder, 'other')
    // A file cannot replace a folder.
    mkdirSync(join(other, 'api-key'), { recursive: true })
    expect(() => keyFile(other).write('fc-key')).toThrow()
    expect(readdirSync(other)).toEqual(['api-key'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
