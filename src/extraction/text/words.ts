/** Runs of letters, digits and combining marks. Suffixes of programming languages belong to the word: `c++`, `c#`. */
const runs = /[\p{L}\p{N}\p{M}]+(?:(?<![\p{L}\p{N}]{3})(?:\+\+|#))?/gu
/** Same pattern for ASCII text, which is several times as fast. */
const asciiRuns = /[a-z0-9]+(?:(?<![a-z0-9]{3})(?:\+\+|#))?/g
const pairScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const dictionaryScripts = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Ranges that contain both kinds of scripts. Faster than the exact patterns. */
const splitRanges = /[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\uffff]/
const asciiOnly = /^[ -~\s]*$/
/** ASCII text with typographic quotes, dashes and spaces, which are not part of words. */
const asciiWords = /^[ -~\s\u00a0\u00a9\u00ab\u00ae\u00b7\u00bb\u2010-\u203a\u20ac]*$/
const combiningMarks = /\p{Mn}/gu
const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
/** The segmenter takes quadratic time for unknown words. */
const maxSegmentLength = 256
/** Longer runs are keys, hashes or data, and not searched. */
const maxWordLength = 64

/** Chinese, Japanese and Korean yield pairs of characters; other scripts without spaces dictionary words. */
export function splitWords(text: string): string[] {
  if (asciiWords.test(text)) {
    const words = text.toLowerCase().match(asciiRuns) ?? []
    return words.filter(({ length }) => length <= maxWordLength)
  }
  const words: string[] = []
  for (const run of text.normalize('NFKC').toLowerCase().match(runs) ?? []) {
    if (splitRanges.test(run)) splitRun(run, words)
    else if (run.length <= maxWordLength) words.push(run)
  }
  return words
}

/** Removes accents, because queries often omit them. */
export function fold(word: string): string {
  return asciiOnly.test(word) ? word : word.normalize('NFD').replace(combiningMarks, '').normalize('NFC')
}

function splitRun(run: string, words: string[]): void {
  if (dictionaryScripts.test(run)) {
    for (let at = 0; at < run.length; at += maxSegmentLength)
      for (const { segment, isWordLike } of segmenter.segment(run.slice(at, at + maxSegmentLength)))
        if (isWordLike && segment.length <= maxWordLength) words.push(segment)
  } else if (pairScripts.test(run)) addPairs(run, words)
  else if (run.length <= maxWordLength) words.push(run)
}

/** Adds Chinese, Japanese and Korean characters in pairs, and runs of other scripts between them whole. */
function addPairs(run: string, words: string[]): void {
  const letters = [...run]
  let otherRun = ''
  for (const [index, letter] of letters.entries()) {
    if (!pairScripts.test(letter)) {
      otherRun += letter
      continue
    }
    if (otherRun !== '' && otherRun.length <= maxWordLength) words.push(otherRun)
    otherRun = ''
    const next = letters[index + 1]
    if (next !== undefined && pairScripts.test(next)) words.push(letter + next)
    else if (index === 0 || !pairScripts.test(letters[index - 1] ?? '')) words.push(letter)
  }
  if (otherRun !== '' && otherRun.length <= maxWordLength) words.push(otherRun)
}
