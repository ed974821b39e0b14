/** What stands around a text: the characters beside it, or nothing at the edge of a line. */
export interface Surroundings {
  previous: string
  next: string
  /** Inside a link with uneven brackets every bracket is escaped; elsewhere they are harmless. */
  escapesBrackets: boolean
  isInLink: boolean
}

/** Text that reads as itself in Markdown, with as few backslashes as that needs. */
export function escapeText(text: string, around: Surroundings): string {
  // An address in running text becomes a link by itself, and backslashes would become part of it.
  if (around.isInLink || !/https?:\/\/|www\./i.test(text)) return escapePart(text, around)
  let escaped = ''
  let start = 0
  for (const match of text.matchAll(/(?:https?:\/\/|www\.)[^\s<>]+/gi)) {
    const part = text.slice(start, match.index)
    const previous = text.charAt(start - 1) || around.previous
    escaped += escapePart(part, { ...around, previous, next: match[0].charAt(0) }) + match[0]
    start = match.index + match[0].length
  }
  return (
    escaped +
    escapePart(text.slice(start), { ...around, previous: text.charAt(start - 1) || around.previous })
  )
}

function escapePart(text: string, around: Surroundings): string {
  return text.replace(/\\|`+|\*+|_+|~+|[[\]<&!]/g, (run: string, offset: number) => {
    const previous = text.charAt(offset - 1) || around.previous
    const next = text.charAt(offset + run.length) || around.next
    return means(run, previous, next, around, text.slice(offset, offset + 40))
      ? run.replace(/./g, '\\$&')
      : run
  })
}

/** Whether Markdown would take these characters for more than themselves. */
function means(run: string, previous: string, next: string, around: Surroundings, rest: string): boolean {
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
      return run.length > 1
    case '<':
      return /[a-z/!?]/i.test(next)
    case '&':
      return /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i.test(rest)
    case '!':
      return next === '[' && rest === '!'
    case ']':
      return around.escapesBrackets || (next === '(' && !around.isInLink)
    default:
      return around.escapesBrackets
  }
}

/** Between spaces a run of marks opens and closes nothing; alone on a line it would be a rule or a bullet. */
function isLoose(previous: string, next: string): boolean {
  return previous === ' ' && (next === ' ' || next === '')
}

const isWord = (character: string) => /[\p{L}\p{N}]/u.test(character)

/**
 * Escapes what would make a block of a line that starts with this text and goes on with the next character.
 */
export function escapeLineStart(text: string, next: string): string {
  const line = text + next
  const ordered = line.match(/^\d{1,9}(?=[.)](?:\s|$))/)?.[0]
  if (ordered) return `${ordered}\\${text.slice(ordered.length)}`
  const startsBlock = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|(?:-\s*){2,}$|\[[^\]]*\]:)/
  return startsBlock.test(line) ? `\\${text}` : text
}

export function hasEvenBrackets(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}

/** An address as the target of a link. */
export function destination(url: string): string {
  const safe = url.replace(/[\s<>\\]/g, encodeURIComponent)
  let depth = 0
  for (const [parenthesis] of safe.matchAll(/[()]/g)) {
    depth += parenthesis === '(' ? 1 : -1
    if (depth < 0) break
  }
  return depth === 0 ? safe : safe.replaceAll('(', '%28').replaceAll(')', '%29')
}
