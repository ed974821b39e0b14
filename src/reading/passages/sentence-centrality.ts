const rounds = 8

/**
 * How central each sentence is among all of them, from 0 to 1: those that share words with other central sentences. Sentences
 * give their weight to their words and words to their sentences, so that the work grows with the words, not with the pairs.
 */
export function sentenceCentrality(sentences: readonly ReadonlySet<string>[]): Float64Array {
  const uses = new Map<string, number>()
  for (const words of sentences) for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1)
  // A word of one sentence connects nothing.
  const shared = sentences.map((words) => [...words].filter((word) => (uses.get(word) ?? 0) > 1))
  let weights = new Float64Array(sentences.length).fill(1)
  for (let round = 0; round < rounds; round += 1) {
    const ofWords = new Map<string, number>()
    for (const [at, words] of shared.entries()) {
      const part = (weights[at] ?? 0) / Math.sqrt(words.length || 1)
      for (const word of words) ofWords.set(word, (ofWords.get(word) ?? 0) + part)
    }
    weights = Float64Array.from(shared, (words) => {
      // Words that all sentences share would make them all alike.
      const sum = words.reduce(
        (total, word) => total + (ofWords.get(word) ?? 0) / Math.sqrt(uses.get(word) ?? 1),
        0,
      )
      return sum / Math.sqrt(words.length || 1)
    })
    const largest = weights.reduce((value, weight) => Math.max(value, weight), 0)
    if (largest > 0) weights = weights.map((weight) => weight / largest)
  }
  return weights
}
