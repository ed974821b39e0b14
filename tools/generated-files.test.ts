import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { generatedFiles } from './generated-files.ts'

describe('generated files', () => {
  it.each(Object.entries(generatedFiles()))('%s is up to date; npm run generate writes it', (path, text) => {
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(text)
  })
})
