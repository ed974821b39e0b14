import { collapsed } from './scan.ts'

/** The context of a text. */
interface Surroundings {
  /** The character before it; nothing at the start of a line. */
  previous: string
  /** The character behind it, a space at the end of the paragraph; nothing if that is not known. */
  next: string
  /** Inside a link with uneven brackets every bracket is escaped; elsewhere they are harmless. */
  escapesBrackets: boolean
  isInLink: boolean
  isStruck: boolean
  /** Openings in the paragraph that a later text could complete: the second of two parts is escaped. */
  memory: { hasTilde: boolean; hasBracket: boolean }
}

/**
 * Parts that backslashes would spoil: an address in running text, which becomes a link by itself, and TeX
 * between its marks. Without their bounds a page of opening marks would take for ever.
 */
const verbatim = new RegExp(
  [
    '(?:https?://|www\\.)[^\\s<>]+',
    '(?<!\\\\)\\\\\\((?:[^\\\\]|\\\\[^()[\\]]){1,800}\\\\\\)',
    '(?<!\\\\)\\\\\\[(?:[^\\\\]|\\\\[^()[\\]]){1,800}\\\\\\]',
    '\\$\\$[^$]{1,2000}\\$\\$',
    '\\$(?=[^\\s$])[^$]{0,400}[\\\\^_{][^$]{0,400}(?<=\\S)\\$(?!\\d)',
  ].join('|'),
  'gi',
)

const mayBeVerbatim = /:\/\/|www\.|\\[([]|\$/i

/** A label of an image or of a link that is not a text of the page. */
export function escapeLabel(text: string): string {
  const label = collapsed(text).trim()
  return escapePart(label, labelSurroundings)
}

const labelSurroundings: Surroundings = {
  previous: '[',
  next: ']',
  escapesBrackets: true,
  isInLink: true,
  isStruck: true,
  memory: { hasTilde: true, hasBracket: true },
}

/** Text that stands alone on its line, behind a mark. */
export const plainContext: Surroundings = {
  previous: ' ',
  next: '',
  escapesBrackets: false,
  isInLink: false,
  isStruck: false,
  memory: { hasTilde: true, hasBracket: true },
}

/** Text that reads as itself in Markdown, with as few backslashes as that needs. */
export function escapeText(text: string, around: Surroundings): string {
  if (around.isInLink || !mayBeVerbatim.test(text)) return escapePart(text, around)
  let escaped = ''
  let start = 0
  for (const match of text.matchAll(verbatim)) {
    const previous = text.charAt(start - 1) || around.previous
    escaped += escapePart(text.slice(start, match.index), { ...around, previous, next: '' })
    escaped += asFormula(match[0])
    start = match.index + match[0].length
  }
  const previous = text.charAt(start - 1) || around.previous
  return escaped + escapePart(text.slice(start), { ...around, previous })
}

function asFormula(part: string): string {
  if (part.startsWith('\\(')) return `$${part.slice(2, -2).trim()}$`
  return part.startsWith('\\[') ? `$$${part.slice(2, -2).trim()}$$` : part
}

function escapePart(text: string, around: Surroundings): string {
  const { isInLink, memory } = around
  const lastTarget = isInLink ? -1 : text.lastIndexOf('](')
  const firstBracket = lastTarget === -1 ? -1 : text.indexOf('[')
  // "[a](b)" is one thing; without its first bracket it is none, if no other stands before it.
  const escapesFirst = !memory.hasBracket && firstBracket !== -1 && firstBracket < text.indexOf('](')
  return text.replace(/\\|`+|\*+|_+|~+|[[\]<&]/g, (run: string, offset: number) => {
    const previous = text.charAt(offset - 1) || around.previous
    const next = text.charAt(offset + run.length) || around.next
    const isTarget = escapesFirst
      ? run === '[' && offset < lastTarget
      : run === ']' && next === '(' && !isInLink
    const means = isTarget || meaning(run, previous, next, around, () => text.slice(offset, offset + 40))
    if (run === '[' && !means && !isInLink) memory.hasBracket = true
    return means ? run.replace(/./g, '\\$&') : run
  })
}

/** Whether Markdown would take these characters for more than themselves. */
function meaning(
  run: string,
  previous: string,
  next: string,
  around: Surroundings,
  rest: () => string,
): boolean {
  switch (run.charAt(0)) {
    case '\\':
      return next === '' || /[!-/:-@[-`{-~]/.test(next)
    case '`':
      return true
    case '*':
      return !isLoose(previous, next)
    case '_':
      return !isLoose(previous, next) && !(isWord(previous) && isWord(next))
    case '~':
      return run.length > 1 || (!isLoose(previous, next) && strikes(previous, next, around))
    case '<':
      return next === '' || /[a-z/!?]/i.test(next)
    case '&':
      return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.test(rest())
    default:
      return around.escapesBrackets
  }
}

function strikes(previous: string, next: string, { isStruck, memory }: Surroundings): boolean {
  if (isStruck || memory.hasTilde || previous === '~' || next === '') return true
  memory.hasTilde = true
  return false
}

/** Between spaces a run of marks opens and closes nothing; alone on a line it would be a rule or a bullet. */
function isLoose(previous: string, next: string): boolean {
  return previous === ' ' && next === ' '
}

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

const lineStarters = new Uint8Array(128)
for (const character of '#-+>=[|:0123456789') lineStarters[character.charCodeAt(0)] = 1

export const mayStartBlock = (code: number) => lineStarters[code] === 1

/** Escapes what would make a block of a line that starts with this text. */
export function escapeLineStart(text: string): string {
  const ordered = text.match(/^\d{1,9}(?=[.)](?:\s|$))/)?.[0]
  if (ordered) return `${ordered}\\${text.slice(ordered.length)}`
  return blockStart.test(text) ? `\\${text}` : text
}

// In turn: headings, bullets, quotes, underlines, rules and the second line of a table, tasks, link definitions.
const blockStart =
  /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|[|:-][\s|:-]*[|:-]\s*$|\[[ x]\](?=\s|$)|\[[^\]]{1,999}\]:)/i

/** An address as the target of a link. Nearly all can stand as they are, so they are looked at only once. */
export function destination(url: string): string {
  let depth = 0
  for (let at = 0; at < url.length; at += 1) {
    const code = url.charCodeAt(at)
    if (code === 40) depth += 1
    else if (code === 41) depth -= 1
    else if (code <= 32 || code === 60 || code === 62 || code === 92) return encoded(url)
    if (depth < 0) return encoded(url)
  }
  return depth === 0 ? url : encoded(url)
}

function encoded(url: string): string {
  const safe = url.replace(/[\s<>\\]/g, encodeURIComponent)
  return safe.replaceAll('(', '%28').replaceAll(')', '%29')
}
