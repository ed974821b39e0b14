import { escapeText } from 'entities'
import { marked, type Token } from 'marked'
import type { ConvertedDocument } from './document.ts'

/** The first row becomes the header, because Markdown requires one. */
export function renderMarkdownTable(rows: string[][], writeCell = cellText): string {
  let width = 1
  for (const row of rows) width = Math.max(width, row.length)
  const write = (row: string[]) =>
    `| ${Array.from({ length: width }, (_, at) => writeCell(row[at] ?? '')).join(' | ')} |`
  const [head = [], ...body] = rows
  return [write(head), `|${' --- |'.repeat(width)}`, ...body.map(write)].join('\n')
}

const specialCharacters = /[\\`*_[\]<|\r\n]/

function cellText(text: string): string {
  const trimmed = text.trim()
  if (!specialCharacters.test(trimmed)) return trimmed
  return trimmed
    .replace(/[\\`*_[\]<|]/g, '\\$&')
    .split('\n')
    .map((line) => line.trim())
    .join('<br>')
}

export function toConvertedDocument(
  markdown: string,
  facts: Partial<Pick<ConvertedDocument, 'metadata' | 'paged' | 'warnings'>> = {},
): ConvertedDocument {
  const text = cleanMarkdown(markdown)
  const { html, links, images, heading } = renderHtml(text)
  const title = facts.metadata?.title ?? heading
  return {
    markdown: text,
    html,
    metadata: { ...facts.metadata, ...(title && { title }) },
    links,
    images,
    warnings: facts.warnings ?? [],
    ...(facts.paged && { paged: facts.paged }),
  }
}

function cleanMarkdown(markdown: string): string {
  // A pattern that can start anywhere in a run of spaces takes quadratic time on a long run.
  const text = markdown
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters
    .replace(/[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return text === '' ? '' : `${text}\n`
}

/** Lines from which a table is rendered here: the Markdown library takes a hundred times as long per row. */
const minLargeTableLines = 60

export function renderHtml(markdown: string) {
  const links = new Set<string>()
  const images = new Set<string>()
  let heading: string | undefined
  const collect = (token: Token) => {
    if (token.type === 'heading') heading ??= toTitle(String(token.text))
    const href = 'href' in token && typeof token.href === 'string' ? token.href : ''
    if (!/^(?:https?|mailto|ftp):/i.test(href)) return
    if (token.type === 'link') links.add(href)
    if (token.type === 'image') images.add(href)
  }
  const html = splitSegments(markdown).map(({ text, isTable }) => {
    if (isTable) return renderTable(text)
    const tokens = marked.lexer(text)
    marked.walkTokens(tokens, collect)
    return marked.parser(tokens)
  })
  return { html: html.join(''), links: [...links], images: [...images], heading }
}

const toTitle = (text: string) =>
  text
    .replace(/[*_`\\]/g, '')
    .trim()
    .slice(0, 300) || undefined

function splitSegments(markdown: string) {
  const lines = markdown.split('\n')
  const result: { text: string; isTable: boolean }[] = []
  let from = 0
  for (let at = 0; at < lines.length; at += 1) {
    if (!isTableStart(lines, at)) continue
    let end = at + 2
    while (end < lines.length && lines[end]?.startsWith('|')) end += 1
    if (end - at >= minLargeTableLines) {
      result.push({ text: lines.slice(from, at).join('\n'), isTable: false })
      result.push({ text: lines.slice(at, end).join('\n'), isTable: true })
      from = end
    }
    at = end - 1
  }
  result.push({ text: lines.slice(from).join('\n'), isTable: false })
  return result.filter(({ text }) => text.trim() !== '')
}

const isTableStart = (lines: string[], at: number) =>
  lines[at]?.startsWith('|') === true && /^\|(?: --- \|)+$/.test(lines[at + 1] ?? '')

function renderTable(table: string): string {
  const [head = '', , ...body] = table.split('\n')
  const row = (line: string, tag: string) =>
    `<tr>${splitCells(line)
      .map((cell) => `<${tag}>${renderCell(cell)}</${tag}>`)
      .join('')}</tr>`
  const rows = body.map((line) => row(line, 'td')).join('\n')
  return `<table>\n<thead>${row(head, 'th')}</thead>\n<tbody>${rows}</tbody>\n</table>\n`
}

const splitCells = (line: string) => line.slice(2, -2).split(' | ')

function renderCell(cell: string): string {
  if (/(?<!\\)[*_`[]|<(?!br>)/.test(cell)) return marked.parseInline(cell, { async: false })
  return cell
    .split('<br>')
    .map((line) => escapeText(line.replace(/\\([^\w\s])/g, '$1')))
    .join('<br>')
}
