import { escapeText } from 'entities'
import { marked, type Token } from 'marked'

export interface HtmlOfMarkdown {
  html: string
  links: string[]
  images: string[]
  /** The text of the first heading. */
  heading: string | undefined
}

/** Tables from this size on are rendered by our own code: the library takes a hundred times as long per row. */
const largeTable = 60

/** Markdown that a converter wrote → HTML, and what it links to and shows. */
export function markdownHtml(markdown: string): HtmlOfMarkdown {
  const found = {
    links: new Set<string>(),
    images: new Set<string>(),
    heading: undefined as string | undefined,
  }
  const html = segments(markdown).map(({ text, isTable }) => {
    if (isTable) return tableHtml(text)
    const tokens = marked.lexer(text)
    marked.walkTokens(tokens, (token) => collect(token, found))
    return marked.parser(tokens)
  })
  return { html: html.join(''), links: [...found.links], images: [...found.images], heading: found.heading }
}

interface Segment {
  text: string
  isTable: boolean
}

function segments(markdown: string): Segment[] {
  const lines = markdown.split('\n')
  const found: Segment[] = []
  let from = 0
  for (let at = 0; at < lines.length; at += 1) {
    if (!isTableStart(lines, at)) continue
    let end = at + 2
    while (end < lines.length && lines[end]?.startsWith('|')) end += 1
    if (end - at >= largeTable) {
      found.push({ text: lines.slice(from, at).join('\n'), isTable: false })
      found.push({ text: lines.slice(at, end).join('\n'), isTable: true })
      from = end
    }
    at = end - 1
  }
  found.push({ text: lines.slice(from).join('\n'), isTable: false })
  return found.filter(({ text }) => text.trim() !== '')
}

const isTableStart = (lines: string[], at: number) =>
  lines[at]?.startsWith('|') === true && /^\|(?: --- \|)+$/.test(lines[at + 1] ?? '')

function tableHtml(table: string): string {
  const [head = '', , ...body] = table.split('\n')
  const row = (line: string, tag: string) =>
    `<tr>${cellsOf(line)
      .map((cell) => `<${tag}>${cellHtml(cell)}</${tag}>`)
      .join('')}</tr>`
  const rows = body.map((line) => row(line, 'td')).join('\n')
  return `<table>\n<thead>${row(head, 'th')}</thead>\n<tbody>${rows}</tbody>\n</table>\n`
}

const cellsOf = (line: string) => line.slice(2, -2).split(' | ')

/** Most cells are plain; those with marks go through the library after all. */
function cellHtml(cell: string): string {
  if (/(?<!\\)[*_`[]|<(?!br>)/.test(cell)) return marked.parseInline(cell, { async: false })
  return cell
    .split('<br>')
    .map((line) => escapeText(line.replace(/\\([^\w\s])/g, '$1')))
    .join('<br>')
}

function collect(
  token: Token,
  found: { links: Set<string>; images: Set<string>; heading: string | undefined },
): void {
  if (token.type === 'heading' && found.heading === undefined) {
    const text = String(token.text)
      .replace(/[*_`\\]/g, '')
      .trim()
    if (text !== '') found.heading = text.slice(0, 300)
  }
  const href = 'href' in token && typeof token.href === 'string' ? token.href : ''
  if (!/^(?:https?|mailto|ftp):/i.test(href)) return
  if (token.type === 'link') found.links.add(href)
  if (token.type === 'image') found.images.add(href)
}
