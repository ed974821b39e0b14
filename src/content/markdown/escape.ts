import { collapseSpace } from './scan.ts'

interface Surroundings {
  previous: string
  next: string
  /** True inside a link with uneven brackets, where every bracket is escaped; elsewhere brackets are harmless. */
  escapesBrackets: boolean
  isInLink: boolean
  isStruck: boolean
  /** Openings in the paragraph that a later text could close: then the second part is escaped. */
  openings: { hasTilde: boolean; hasBracket: boolean }
}

/** Backslashes would break URLs in running text, and TeX. The length limits prevent quadratic time. */
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

export const escapeLabel = (text: string) => escapePart(collapseSpace(text).trim(), labelSurroundings)

export const plainContext: Surroundings = {
  previous: ' ',
  next: '',
  escapesBrackets: false,
  isInLink: false,
  isStruck: false,
  openings: { hasTilde: true, hasBracket: true },
}

const labelSurroundings: Surroundings = {
  ...plainContext,
  ...{ previous: '[', next: ']', escapesBrackets: true, isInLink: true, isStruck: true },
}

export function escapeText(text: string, context: Surroundings): string {
  if (context.isInLink || !mayBeVerbatim.test(text)) return escapePart(text, context)
  let escaped = ''
  let start = 0
  for (const match of text.matchAll(verbatim)) {
    const previous = text.charAt(start - 1) || context.previous
    escaped += escapePart(text.slice(start, match.index), { ...context, previous, next: '' })
    escaped += toMarkdownFormula(match[0])
    start = match.index + match[0].length
  }
  const previous = text.charAt(start - 1) || context.previous
  return escaped + escapePart(text.slice(start), { ...context, previous })
}

function toMarkdownFormula(part: string): string {
  if (part.startsWith('\\(')) return `$${part.slice(2, -2).trim()}$`
  return part.startsWith('\\[') ? `$$${part.slice(2, -2).trim()}$$` : part
}

function escapePart(text: string, context: Surroundings): string {
  const { isInLink, openings } = context
  const lastTarget = isInLink ? -1 : text.lastIndexOf('](')
  const firstBracket = lastTarget === -1 ? -1 : text.indexOf('[')
  // "[a](b)" needs one escape: its first bracket is enough, if no unescaped bracket precedes it.
  const escapesFirst = !openings.hasBracket && firstBracket !== -1 && firstBracket < text.indexOf('](')
  return text.replace(/\\|`+|\*+|_+|~+|[[\]<&]/g, (run: string, offset: number) => {
    const previous = text.charAt(offset - 1) || context.previous
    const next = text.charAt(offset + run.length) || context.next
    const breaksLink = escapesFirst
      ? run === '[' && offset < lastTarget
      : run === ']' && next === '(' && !isInLink
    const isSyntax =
      breaksLink || isMarkdownSyntax(run, previous, next, context, () => text.slice(offset, offset + 40))
    if (run === '[' && !isSyntax && !isInLink) openings.hasBracket = true
    return isSyntax ? run.replace(/./g, '\\$&') : run
  })
}

function isMarkdownSyntax(
  run: string,
  previous: string,
  next: string,
  context: Surroundings,
  readRest: () => string,
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
      return run.length > 1 || (!isLoose(previous, next) && isStrikethrough(previous, next, context))
    case '<':
      return next === '' || /[a-z/!?]/i.test(next)
    case '&':
      return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.test(readRest())
    default:
      return context.escapesBrackets
  }
}

function isStrikethrough(previous: string, next: string, { isStruck, openings }: Surroundings): boolean {
  if (isStruck || openings.hasTilde || previous === '~' || next === '') return true
  openings.hasTilde = true
  return false
}

/** A run of delimiters between spaces opens and closes nothing; alone on a line it would be a rule or a bullet. */
const isLoose = (previous: string, next: string) => previous === ' ' && next === ' '

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

const lineStarters = new Uint8Array(128)
for (const character of '#-+>=[|:0123456789') lineStarters[character.charCodeAt(0)] = 1

export const mayStartBlock = (code: number) => lineStarters[code] === 1

export function escapeLineStart(text: string): string {
  const itemNumber = text.match(/^\d{1,9}(?=[.)](?:\s|$))/)?.[0]
  if (itemNumber) return `${itemNumber}\\${text.slice(itemNumber.length)}`
  return blockStart.test(text) ? `\\${text}` : text
}

// In order: headings, bullets, quotes, underlines, rules and the second line of a table, tasks, link definitions.
const blockStart =
  /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|[|:-][\s|:-]*[|:-]\s*$|\[[ x]\](?=\s|$)|\[[^\]]{1,999}\]:)/i

/** Writes a URL as a link target. Nearly all URLs need no encoding, so one pass checks them first. */
export function destination(url: string): string {
  let depth = 0
  for (let at = 0; at < url.length; at += 1) {
    const code = url.charCodeAt(at)
    if (code === 40) depth += 1
    else if (code === 41) depth -= 1
    else if (code <= 32 || code === 60 || code === 62 || code === 92) return encodeTarget(url)
    if (depth < 0) return encodeTarget(url)
  }
  return depth === 0 ? url : encodeTarget(url)
}

function encodeTarget(url: string): string {
  const safe = url.replace(/[\s<>\\]/g, encodeURIComponent)
  return safe.replaceAll('(', '%28').replaceAll(')', '%29')
}
