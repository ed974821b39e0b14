/** What the Markdown of one page has to hold, and what not. */
export interface Expectation {
  url: string
  /** Whole lines, or runs of them. */
  lines: string[]
  /** Runs of characters. */
  text: string[]
  /** Runs of characters, where marks and the addresses of links do not count. */
  words: string[]
  /** Runs of characters of which each stands behind the one before it, marks not counted. */
  inOrder: string[][]
  not: string[]
}

export interface Check {
  kind: 'lines' | 'text' | 'words' | 'inOrder' | 'not'
  wanted: string
}

/** One by one, so that each can hold or fail by itself. */
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

/** Text without emphasis, code marks, marks of quotes, escapes and addresses of links; any space is one space. */
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
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return true
}
