const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Returns the sentences of an answer. Full stops in code, URLs and numbers do not end a sentence. */
export function sentencesOf(answer: string): string[] {
  const plain = answer
    .replace(/```[\s\S]*?```|`[^`]*`/g, 'code')
    .replace(/https?:\/\/\S*[^\s.,;:!?)]/g, 'address')
    .replace(/(?<=\w)[.](?=\w)/g, ' ')
  return [...segmenter.segment(plain)]
    .map(({ segment }) => segment.trim())
    .filter((segment) => /[\p{L}\p{N}]/u.test(segment))
}
