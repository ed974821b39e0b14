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

/** After this many trees most blocks are decided, and more would change nothing. */
const firstTrees = 40
const decided = 4

/** The sum of what each tree says of a row of features, as a probability. */
export function probability(forest: Forest, row: Float32Array): number {
  const { roots, splits, values, rights } = forest
  let sum = 0
  for (let tree = 0; tree < roots.length; tree += 1) {
    if (tree === firstTrees && (sum > decided || sum < -decided)) break
    let place = roots[tree] ?? 0
    for (let split = splits[place] ?? leaf; split !== leaf; split = splits[place] ?? leaf) {
      place = (row[split] ?? 0) > (values[place] ?? 0) ? (rights[place] ?? 0) : place + 1
    }
    sum += values[place] ?? 0
  }
  return 1 / (1 + Math.exp(-sum))
}
