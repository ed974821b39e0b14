/** Text that the Markdown of one page must and must not contain. */
export interface Expectation {
  url: string
  /** Complete lines, or consecutive lines. */
  lines: string[]
  /** Consecutive characters. */
  text: string[]
  /** Consecutive characters, ignoring formatting and URLs of links. */
  words: string[]
  /** Lists of texts that must appear in this order, ignoring formatting. */
  inOrder: string[][]
  not: string[]
}

export interface Check {
  kind: 'lines' | 'text' | 'words' | 'inOrder' | 'not'
  wanted: string
}

/** Returns separate checks, so that each can pass or fail on its own. */
export function checksOf(expectation: Expectation): Check[] {
  const { lines, text, words, inOrder, not } = expectation
  return [
    ...lines.map((wanted) => ({ kind: 'lines' as const, wanted })),
    ...text.map((wanted) => ({ kind: 'text' as const, wanted })),
    ...words.map((wanted) => ({ kind: 'words' as const, wanted })),
    ...inOrder.map((wanted) => ({ kind: 'inOrder' as const, wanted: wanted.join(' … ') })),
    ...not.map((wanted) => ({ kind: 'not' as const, wanted })),
  ]
}

export function holds({ kind, wanted }: Check, markdown: string): boolean {
  switch (kind) {
    case 'lines':
      return `\n${markdown}\n`.includes(`\n${wanted}\n`)
    case 'text':
      return markdown.includes(wanted)
    case 'words':
      return bare(markdown).includes(bare(wanted))
    case 'inOrder':
      return isInOrder(bare(markdown), wanted.split(' … ').map(bare))
    case 'not':
      return !markdown.includes(wanted)
  }
}

/**
 * Returns text without emphasis, code delimiters, quote markers, escapes and URLs of links. Any white space becomes
 * one space.
 */
export function bare(markdown: string): string {
  return markdown
    .replace(/\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?: "[^"]*")?\)/g, '')
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '')
    .replace(/^\s*(?:> |>$)+/gm, '')
    .replace(/[*_`[\]\\]/g, '')
    .replace(/\s+/g, ' ')
}

function isInOrder(text: string, parts: string[]): boolean {
  let from = 0
  for (const part of parts) {
    const position = text.indexOf(part, from)
    if (position < 0) return false
    from = position + part.length
  }
  return true
}
