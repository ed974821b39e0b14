/** Letters, digits and marks; the signs that end names of languages stay: `c++`, `c#`. */
const runs = /[\p{L}\p{N}\p{M}]+(?:(?<![\p{L}\p{N}]{3})(?:\+\+|#))?/gu
/** The same for plain English text, which is read several times as fast. */
const asciiRuns = /[a-z0-9]+(?:(?<![a-z0-9]{3})(?:\+\+|#))?/g
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const segmented = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const special = /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\uffff]/
const asciiOnly = /^[ -~\s]*$/
/** The same with the quotes, dashes and spaces of typeset text, none of which is part of a word. */
const asciiWords = /^[ -~\s\u00a0\u00a9\u00ab\u00ae\u00b7\u00bb\u2010-\u203a\u20ac]*$/
const marks = /\p{Mn}/gu
const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
/** The segmenter takes quadratic time for a run that is in no dictionary. */
const segmentedAtOnce = 256
/** Longer runs are keys, hashes and data, which nobody looks for by a part. */
const longestWord = 64

/** The words of a text, in lower case, as they stand; scripts without spaces give pairs of letters or dictionary words. */
export function splitWords(text: string): string[] {
  if (asciiWords.test(text))
    return (
      text
        .toLowerCase()
        .match(asciiRuns)
        ?.filter(({ length }) => length <= longestWord) ?? []
    )
  const words: string[] = []
  for (const run of text.normalize('NFKC').toLowerCase().match(runs) ?? []) {
    if (special.test(run)) splitRun(run, words)
    else if (run.length <= longestWord) words.push(run)
  }
  return words
}

/** Without accents, which people leave out. */
export function fold(word: string): string {
  return asciiOnly.test(word) ? word : word.normalize('NFD').replace(marks, '').normalize('NFC')
}

function splitRun(run: string, words: string[]): void {
  if (segmented.test(run)) {
    for (let at = 0; at < run.length; at += segmentedAtOnce)
      for (const { segment, isWordLike } of segmenter.segment(run.slice(at, at + segmentedAtOnce)))
        if (isWordLike && segment.length <= longestWord) words.push(segment)
  } else if (unspaced.test(run)) pairs(run, words)
  else if (run.length <= longestWord) words.push(run)
}

/** Neighbouring letters of Chinese, Japanese and Korean, and what stands between them in another script whole. */
function pairs(run: string, words: string[]): void {
  const letters = [...run]
  let other = ''
  for (const [index, letter] of letters.entries()) {
    if (!unspaced.test(letter)) {
      other += letter
      continue
    }
    if (other !== '' && other.length <= longestWord) words.push(other)
    other = ''
    const next = letters[index + 1]
    if (next !== undefined && unspaced.test(next)) words.push(letter + next)
    else if (index === 0 || !unspaced.test(letters[index - 1] ?? '')) words.push(letter)
  }
  if (other !== '' && other.length <= longestWord) words.push(other)
}
