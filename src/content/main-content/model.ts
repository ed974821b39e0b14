import { once } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { featureNames } from './features.ts'
import type { Tables } from './page-analysis.ts'

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
const shipped = jsonFile<Weights>(new URL('./weights.json', import.meta.url))

export const model = once(() => readModel(shipped()))

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

/**
 * Boosted decision trees. The nodes of a tree stand in the order in which they are reached when the answer is
 * always "at most", so that one of two steps goes to the next place.
 */
export interface Forest {
  /** The first node of each tree. */
  roots: Uint16Array
  /** Which feature a node looks at; `leaf` for one that has an answer. */
  splits: Uint8Array
  /** The threshold of a split, or the answer of a leaf. */
  values: Float32Array
  /** Where a split leads when its feature is above the threshold. */
  rights: Uint16Array
}

export const leaf = 255

/**
 * After a few trees most blocks are decided: on the development pages, of those that leave here, one in two
 * thousand would end on the other side. The trees that are left would about double what was said so far.
 */
const firstTrees = 16
const decided = 2.2
const growth = 2

/** The sum of what each tree says of a row of features, as a probability. */
export function probability(forest: Forest, row: Float32Array): number {
  const { roots, splits, values, rights } = forest
  let sum = 0
  for (let tree = 0; tree < roots.length; tree += 1) {
    let place = roots[tree] ?? 0
    for (let split = splits[place] ?? leaf; split !== leaf; split = splits[place] ?? leaf) {
      place = (row[split] ?? 0) > (values[place] ?? 0) ? (rights[place] ?? 0) : place + 1
    }
    sum += values[place] ?? 0
    if (tree >= firstTrees && (sum > decided || sum < -decided)) {
      // Near the end there is nothing left to grow.
      sum *= 1 + (growth - 1) * (1 - tree / roots.length)
      break
    }
  }
  return 1 / (1 + Math.exp(-sum))
}
