import { inlineText } from '../../reading/passages/inline-text.ts'
import { anchors } from './anchors.ts'
import type { DocKind, DocSection } from './section.ts'

const heading = /^(#{1,6})[ \t]+(\S(?:.*\S)?)[ \t]*$/
const fence = /^\s*(`{3,}|~{3,})/

interface Open {
  level: number
  title: string
  anchor: string
  lines: string[]
}

/** A guide → its sections. Each has the text up to the next heading, whatever the level of that. */
export function cutGuide(path: string, markdown: string, weight: number): DocSection[] {
  const kind = kindOf(path)
  const sections: DocSection[] = []
  const above: Open[] = []
  const anchorOf = anchors()
  let isCode = false
  const close = () => {
    const open = above.at(-1)
    const text = open?.lines.join('\n').trim() ?? ''
    if (!open || text === '') return
    const headings = above.slice(0, -1).map(({ title }) => title)
    // A guide is what its first section stands for.
    const anchor = headings.length === 0 ? '' : `#${open.anchor}`
    const pathOrUrl = `${path}${anchor}`
    sections.push({ kind, pathOrUrl, key: pathOrUrl, title: open.title, headings, text, weight })
  }
  for (const line of markdown.split('\n')) {
    if (fence.test(line)) isCode = !isCode
    const [, marks, title] = (isCode ? undefined : heading.exec(line)) ?? []
    if (marks === undefined || title === undefined) above.at(-1)?.lines.push(line)
    else {
      close()
      while ((above.at(-1)?.level ?? 0) >= marks.length) above.pop()
      const text = inlineText(title)
      above.push({ level: marks.length, title: text, anchor: anchorOf(text), lines: [] })
    }
  }
  close()
  return sections
}

/** Some pages are for those alone who ask about their subject, however many of the words of others they have. */
function kindOf(path: string): DocKind {
  if (path === 'docs/cli.md') return 'command'
  return /^docs\/(?:migrate|guides\/from)-/.test(path) ? 'migration' : 'guide'
}

const row = /^\|(.*)\|\s*$/
const line = /^\|[\s:|-]+\|\s*$/

/** A page that is one table, each row about one name: an error, a setting, a limit. */
export function cutTable(
  path: string,
  markdown: string,
  { nameColumn, kind }: { nameColumn: number; kind: DocKind },
): DocSection[] {
  const title = /^#[ \t]+(.+)$/m.exec(markdown)?.[1] ?? path
  const rows = markdown.split('\n').filter((one) => row.test(one) && !line.test(one))
  const [columns = [], ...entries] = rows.map(cellsOf)
  return entries.map((cells) => {
    const name = inlineText(cells[nameColumn] ?? '')
    const rest = cells.flatMap((cell, column) =>
      column === nameColumn || cell === '' ? [] : [`${columns[column] ?? ''}: ${ended(cell)}`],
    )
    // What it means comes before its status or its default.
    const [last = '', ...before] = rest.reverse()
    const meaning = last.replace(/^[^:]*: /, '')
    const text = [meaning, ...before].join(' ')
    return { pathOrUrl: `${path}#${name}`, key: name, title: name, headings: [title], text, kind, weight: 1 }
  })
}

const cellsOf = (one: string) =>
  (row.exec(one)?.[1] ?? '').split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
