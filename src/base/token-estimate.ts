/**
 * About how many tokens a language model counts in a text. Models differ, so it is an estimate: four letters of a Latin script
 * to a token, two of other alphabets, and a token for each sign of Chinese, Japanese and Korean.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let index = 0; index < text.length; index++) quarters += quartersOf(text.charCodeAt(index))
  return Math.ceil(quarters / 4)
}

/** The beginning of a text that has at most this many tokens, by the same estimate. */
export function cutToTokens(text: string, tokens: number): string {
  let left = tokens * 4
  for (let index = 0; index < text.length; index++) {
    left -= quartersOf(text.charCodeAt(index))
    if (left < 0) return wholeSigns(text.slice(0, index))
  }
  return text
}

function quartersOf(code: number): number {
  if (code < 0x250) return 1
  return code < 0x2e80 ? 2 : 4
}

/** Without half of a sign that two codes form. */
function wholeSigns(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}
