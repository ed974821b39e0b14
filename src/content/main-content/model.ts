import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { featureNames } from './features.ts'
import type { Tables } from './page-analysis.ts'

export interface Model extends Tables {
  forest: Forest
}

/** A stored model: arrays of numbers, written as base64 of their bytes. */
export interface Weights
  extends Record<'names' | 'words' | 'roots' | 'splits' | 'values' | 'rights', string> {
  features: readonly string[]
}

const decodeBytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))

/** Trained weights, made by `bench/content-model`. The file records the training data and the scores. */
const readShippedWeights = jsonFile<Weights>(new URL('./weights.json', import.meta.url))

export const model = lazy(() => readModel(readShippedWeights()))

export function readModel(weights: Weights): Model {
  // Rows are read by index, so weights for other features would yield meaningless probabilities.
  if (weights.features.join() !== featureNames.join()) throw new Error('The weights are for other features.')
  return {
    names: new Int8Array(decodeBytes(weights.names).buffer),
    words: new Int8Array(decodeBytes(weights.words).buffer),
    forest: {
      roots: new Uint16Array(decodeBytes(weights.roots).buffer),
      splits: decodeBytes(weights.splits),
      values: new Float32Array(decodeBytes(weights.values).buffer),
      rights: new Uint16Array(decodeBytes(weights.rights).buffer),
    },
  }
}

/** Boosted trees in depth-first order, the "at most" branch first, so that branch is always the next node. */
export interface Forest {
  roots: Uint16Array
  splits: Uint8Array
  values: Float32Array
  rights: Uint16Array
}

export const leaf = 255

/** After a few trees most blocks are decided: on the development pages, 1 in 2000 would get the opposite result. */
const minTrees = 16
const decidedSum = 2.2
const fullSumFactor = 2

export function probability(forest: Forest, row: Float32Array): number {
  const { roots, splits, values, rights } = forest
  let sum = 0
  for (let tree = 0; tree < roots.length; tree += 1) {
    let node = roots[tree] ?? 0
    for (let split = splits[node] ?? leaf; split !== leaf; split = splits[node] ?? leaf) {
      node = (row[split] ?? 0) > (values[node] ?? 0) ? (rights[node] ?? 0) : node + 1
    }
    sum += values[node] ?? 0
    if (tree >= minTrees && (sum > decidedSum || sum < -decidedSum)) {
      // Scales the growth by the number of remaining trees.
      sum *= 1 + (fullSumFactor - 1) * (1 - tree / roots.length)
      break
    }
  }
  return 1 / (1 + Math.exp(-sum))
}
