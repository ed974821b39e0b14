/** Marks of inline text as bits, from the outermost to the innermost. */
export const link = 1
export const strong = 2
export const emphasis = 4
export const struck = 8

/** The level of each bit: the order in which marks lie around a text. */
export const levels = 4

const star = 42
const underscore = 95
const tilde = 126

/**
 * A text with a mark around it, if Markdown would read it so between these characters; else the text alone.
 * Punctuation at the edge of a marked word keeps its mark from being read, as in `a**(b)**c`, and is moved
 * out. Zero stands for the edge of the paragraph.
 */
export function marked(text: string, mark: number, before: number, next: number): string {
  const isAfterMark = before === star || before === underscore || before === tilde
  const marksAlike = mark === struck && before === tilde
  const whole = marksAlike ? undefined : wrapped(text, signOf(mark, before), before, next)
  if (whole !== undefined) return whole
  // The mark before this one ends there only because another begins; so a tag stands for it.
  return isAfterMark ? `<${tagNames[mark]}>${text}</${tagNames[mark]}>` : text
}

const tagNames: Record<number, string> = { [strong]: 'strong', [emphasis]: 'em', [struck]: 'del' }

function signOf(mark: number, before: number): string {
  if (mark === struck) return '~~'
  // Right after a star another would be read as part of the same mark.
  const sign = before === star ? '_' : '*'
  return mark === strong ? sign + sign : sign
}

function wrapped(text: string, sign: string, before: number, next: number): string | undefined {
  const from = isWordLike(before) ? headEnd(text) : 0
  // The end of an address is no punctuation of the text.
  const to = isWordLike(next) && !text.includes('](') ? tailStart(text, from) : text.length
  const core = text.slice(from, to)
  // What was harmless before a space or a comma would take part in the mark.
  if (core === '' || (to < text.length && /[\\*_~]$/.test(core)) || (from > 0 && /^[*_~]/.test(core))) {
    return undefined
  }
  const opens = from > 0 || !isWordLike(before) || !isPunctuation(edge(core, sign, 1))
  const closes = to < text.length || !isWordLike(next) || !isPunctuation(edge(core, sign, -1))
  const isInWord = sign.charCodeAt(0) === underscore && to === text.length && isWordLike(next)
  if (!opens || !closes || isInWord) return undefined
  return text.slice(0, from) + sign + core + sign + text.slice(to)
}

function headEnd(text: string): number {
  let at = 0
  while (/[\p{Ps}\p{Pi}"'¿¡]/u.test(text.charAt(at)) && text.charAt(at) !== '[') at += 1
  while (at > 0 && /\s/.test(text.charAt(at))) at += 1
  return at
}

function tailStart(text: string, from: number): number {
  let at = text.length
  while (at > from && /[\p{Pe}\p{Pf}.,:;!?"'…，。：；！？、]/u.test(text.charAt(at - 1))) {
    if (text.charAt(at - 1) === ']' || text.charAt(at - 2) === '\\') break
    at -= 1
  }
  while (at < text.length && /\s/.test(text.charAt(at - 1))) at -= 1
  return at
}

/** The first or last character of a text beside its own marks of the same kind. */
function edge(text: string, sign: string, direction: 1 | -1): string {
  let at = direction === 1 ? 0 : text.length - 1
  while (text.charAt(at) === sign.charAt(0)) at += direction
  return text.charAt(at)
}

/** Halves of characters beyond the first plane count as what is worse for a mark. */
function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character) || /[\ud800-\udfff]/.test(character)
}

function isWordLike(code: number): boolean {
  if (code < 128) return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122)
  return !/[\p{P}\p{S}\s]/u.test(String.fromCharCode(code))
}
