import type { Tables } from './evidence.ts'
import { featureNames } from './features.ts'
import type { Forest } from './forest.ts'
import shipped from './weights.json' with { type: 'json' }

export interface Model extends Tables {
  forest: Forest
}

/** A model as it is kept: arrays of numbers, written as base64 of their bytes. */
export interface Weights
  extends Record<'names' | 'words' | 'roots' | 'splits' | 'values' | 'rights', string> {
  features: readonly string[]
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

/** The learned part, made by `bench/content-model`; the file says from what and how well it did. */
export const model: Model = readModel(shipped)

export function readModel(weights: Weights): Model {
  // The rows are read by place, so weights for other features would give answers without any sense.
  if (weights.features.join() !== featureNames.join()) throw new Error('The weights are for other features.')
  return {
    names: new Int8Array(bytes(weights.names).buffer),
    words: new Int8Array(bytes(weights.words).buffer),
    forest: {
      roots: new Uint16Array(bytes(weights.roots).buffer),
      splits: bytes(weights.splits),
      values: new Float32Array(bytes(weights.values).buffer),
      rights: new Uint16Array(bytes(weights.rights).buffer),
    },
  }
}
