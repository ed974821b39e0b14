import type { Block, Item, ManualPage, Signature } from '../sources/block.ts'
import { escapeHtml, indented, inline } from './inline.ts'

/** Differences between the generators that read Markdown. */
export interface Flavour {
  caption: 'title' | 'file' | 'paragraph'
  note(type: string, text: string): string
  tabs(tabs: { label: string; language: string; text: string }[]): string
  details(summary: string, text: string): string
  hasDefinitions: boolean
  /** Indentation of a nested list item. */
  indent: string
}

/** Returns a page of the manual for a generator that reads Markdown. */
export function markdown({ title, blocks }: ManualPage, flavour: Flavour): string {
  return `# ${title}\n\n${blocks.map((item) => block(item, flavour)).join('\n\n')}\n`
}

export const fence = (language: string, text: string, rest = '') =>
  `\`\`\`${language}${rest}\n${text}\n\`\`\``

function block(source: Block, flavour: Flavour): string {
  switch (source.kind) {
    case 'paragraph':
      return source.text
    case 'heading':
      return `${'#'.repeat(source.level)} ${source.text}`
    case 'code':
      return listing(source, flavour)
    case 'table':
      return [
        source.caption ? `*${source.caption}*\n` : '',
        row(source.head),
        row(source.head.map(() => '---')),
      ]
        .concat(source.rows.map(row))
        .filter((line) => line !== '')
        .join('\n')
    case 'definitions':
      return flavour.hasDefinitions
        ? source.entries.map(([term, meaning]) => `${term}\n:   ${meaning}`).join('\n\n')
        : `<dl>\n${source.entries.map(([term, meaning]) => `<dt>${html(term)}</dt><dd>${html(meaning)}</dd>`).join('\n')}\n</dl>`
    case 'note':
      return flavour.note(source.type, source.text)
    case 'list':
      return source.items
        .map((item, index) => listItem(item, source.isOrdered ? `${index + 1}. ` : '- ', flavour.indent))
        .join('\n')
    case 'figure':
      return `<figure>\n<img src=".${source.source}" alt="${source.alt}" />\n<figcaption>${source.caption}</figcaption>\n</figure>`
    case 'tabs':
      return flavour.tabs(source.tabs)
    case 'footnote':
      return `[^${source.label}]: ${source.text}`
    case 'details':
      return flavour.details(source.summary, source.text)
    case 'quote':
      return `> ${source.text}`
    case 'signature':
      return signature(source.signature)
  }
}

function listing({ language, caption, text }: Extract<Block, { kind: 'code' }>, flavour: Flavour): string {
  if (caption === undefined) return fence(language, text)
  if (flavour.caption === 'title') return fence(language, text, ` title="${caption}"`)
  return `*${caption}*\n\n${fence(language, text)}`
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

const html = (text: string) =>
  inline(text, {
    plain: escapeHtml,
    code: (part) => `<code>${escapeHtml(part)}</code>`,
    strong: (part) => `<strong>${part}</strong>`,
    emphasis: (part) => `<em>${part}</em>`,
    note: (label) => `[^${label}]`,
  })

function listItem(item: Item, marker: string, indent: string): string {
  if (typeof item === 'string') return `${marker}${item}`
  return `${marker}${item[0]}\n${indented(item[1].map((part) => `- ${part}`).join('\n'), indent)}`
}

function signature({ name, parameters, returns, text }: Signature): string {
  const heading = `## \`${name}(${parameters.map((parameter) => parameter.name + (parameter.default ? `=${parameter.default}` : '')).join(', ')})\``
  const rows = parameters.map((parameter) =>
    row([`\`${parameter.name}\``, `\`${parameter.type}\``, parameter.text]),
  )
  const head = [row(['Parameter', 'Type', 'Meaning']), row(['---', '---', '---'])]
  return [
    heading,
    text,
    [...head, ...rows].join('\n'),
    `**Returns** \`${returns.type}\`: ${returns.text}`,
  ].join('\n\n')
}
