import { inlineText } from '../../reading/passages/inline-text.ts'
import { anchors } from './anchors.ts'
import type { DocSection } from './section.ts'

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
    sections.push({ pathOrUrl, key: pathOrUrl, title: open.title, headings, text, weight })
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

const row = /^\|(.*)\|\s*$/
const line = /^\|[\s:|-]+\|\s*$/

export interface NameTable extends Pick<DocSection, 'weight' | 'kind'> {
  nameColumn: number
}

/** Returns a section for each row of a page with one table of errors, settings or limits. */
export function cutTable(path: string, markdown: string, table: NameTable): DocSection[] {
  const { nameColumn, ...rank } = table
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
    return { pathOrUrl: `${path}#${name}`, key: name, title: name, headings: [title], text, ...rank }
  })
}

const cellsOf = (one: string) =>
  (row.exec(one)?.[1] ?? '').split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
