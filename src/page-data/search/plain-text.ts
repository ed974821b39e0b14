/** Targets of links and images, whose texts stay. Bounded, so that brackets without an end cost nothing. */
const targets =
  /\]\((?:<[^<>\n]{0,4000}>|[^()\s]{0,4000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000})?)(?:\s"[^"\n]{0,500}")?\)/g
/** Signs of Markdown; what stands behind a backslash is a sign of the text. */
const marks = /\\([!-/:-@[-`{-~])|[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}|!?\[/g
const lineStarts = /^[ \t]*(?:#{1,6}[ \t]|>[ \t]?|[-*+][ \t]|\d{1,9}[.)][ \t]|(?:```|~~~).*$)/gm
const tableLines = /^[ \t:|-]{3,}$/gm

/** Markdown → the words that a reader sees, line by line. */
export function plainText(markdown: string): string {
  return markdown
    .replace(tableLines, '')
    .replace(targets, ' ')
    .replace(lineStarts, '')
    .replace(/\|/g, ' ')
    .replace(marks, '$1')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

const headings = /^#{1,6}[ \t]+(.{1,500})$/gm

/** The texts of all headings. */
export function headingsIn(markdown: string): string {
  const found = [...markdown.matchAll(headings)].map(([, text = '']) => plainText(text))
  return found.join('\n')
}
