import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findSentenceModel } from './search.ts'

it('findSentenceModel() returns a folder that is complete, and undefined if it is off or not set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-model-'))
  try {
    for (const name of ['model.onnx', 'tokenizer.json']) writeFileSync(join(folder, name), '')
    expect(findSentenceModel({ sentenceModel: folder })).toBeUndefined()
    mkdirSync(join(folder, 'node_modules', 'onnxruntime-node'), { recursive: true })
    expect(findSentenceModel({ sentenceModel: folder })).toBe(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
  expect(findSentenceModel({ sentenceModel: 'off' })).toBeUndefined()
  expect(findSentenceModel({ sentenceModel: undefined })).toBeUndefined()
})
