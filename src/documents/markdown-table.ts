/** Rows of plain text → a table. The first row is its head, as there must be one. */
export function markdownTable(rows: string[][]): string {
  let width = 1
  for (const row of rows) width = Math.max(width, row.length)
  const write = (row: string[]) =>
    `| ${Array.from({ length: width }, (_, at) => cellText(row[at] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [write(head), `|${' --- |'.repeat(width)}`, ...body.map(write)].join('\n')
}

const special = /[\\`*_[\]<|\r\n]/

/** Plain text inside a cell: neither its bars nor its line breaks may end it. Most cells have neither. */
function cellText(text: string): string {
  const trimmed = text.trim()
  if (!special.test(trimmed)) return trimmed
  return trimmed
    .replace(/[\\`*_[\]<|]/g, '\\$&')
    .split('\n')
    .map((line) => line.trim())
    .join('<br>')
}
