import type { Block, Item, ManualPage, Signature } from '../sources/block.ts'
import { inline } from './inline.ts'

/** Returns a page of the manual in AsciiDoc. */
export function asciidoc({ title, blocks }: ManualPage): string {
  const notes = new Map(blocks.flatMap((item) => (item.kind === 'footnote' ? [[item.label, item.text]] : [])))
  const text = (source: string) =>
    inline(source, {
      plain: (part) => part,
      code: (part) => `\`${part}\``,
      strong: (part) => `*${part}*`,
      emphasis: (part) => `_${part}_`,
      note: (label) => `footnote:[${notes.get(label)}]`,
    })
  const body = blocks.filter((one) => one.kind !== 'footnote').map((one) => block(one, text))
  return `= ${title}\nThe Skerry Crew\nv2.3, 2026-03-14\n:toc: left\n:icons: font\n:source-highlighter: rouge\n\n${body.join('\n\n')}\n`
}

type Text = (source: string) => string

function block(source: Exclude<Block, { kind: 'footnote' }>, text: Text): string {
  switch (source.kind) {
    case 'paragraph':
      return text(source.text)
    case 'heading':
      return `${'='.repeat(source.level)} ${source.text}`
    case 'code':
      return `${title(source.caption)}[source,${source.language}]\n----\n${source.text}\n----`
    case 'table': {
      const rows = source.rows.map((row) => row.map((cell) => `|${text(cell)}`).join(' '))
      return `${title(source.caption)}[cols="${source.head.length}*",options="header"]\n|===\n${source.head.map((cell) => `|${cell}`).join(' ')}\n\n${rows.join('\n')}\n|===`
    }
    case 'definitions':
      return source.entries.map(([term, meaning]) => `${text(term)}:: ${text(meaning)}`).join('\n')
    case 'note':
      return `${source.type.toUpperCase()}: ${text(source.text)}`
    case 'list':
      return source.items.map((item) => listItem(item, source.isOrdered ? '.' : '*', text)).join('\n')
    case 'figure':
      return `.${source.caption}\nimage::${source.source}[${source.alt}]`
    case 'tabs':
      return source.tabs
        .map((tab) => `.${tab.label}\n[source,${tab.language}]\n----\n${tab.text}\n----`)
        .join('\n\n')
    case 'details':
      return `.${source.summary}\n[%collapsible]\n====\n${text(source.text)}\n====`
    case 'quote':
      return `[quote,A pilot]\n${text(source.text)}`
    case 'signature':
      return signature(source.signature)
  }
}

const title = (text: string | undefined) => (text === undefined ? '' : `.${text}\n`)

function listItem(item: Item, marker: string, text: Text): string {
  if (typeof item === 'string') return `${marker} ${text(item)}`
  const inner = marker === '.' ? '*' : '**'
  return [`${marker} ${text(item[0])}`, ...item[1].map((part) => `${inner} ${text(part)}`)].join('\n')
}

function signature({ name, parameters, returns, text }: Signature): string {
  const names = parameters.map(
    (parameter) => parameter.name + (parameter.default ? `=${parameter.default}` : ''),
  )
  const rows = parameters.map(
    (parameter) => `|\`${parameter.name}\` |\`${parameter.type}\` |${parameter.text}`,
  )
  const table = `[cols="3*",options="header"]\n|===\n|Parameter |Type |Meaning\n\n${rows.join('\n')}\n|===`
  return `== \`${name}(${names.join(', ')})\`\n\n${text}\n\n${table}\n\n*Returns* \`${returns.type}\`: ${returns.text}`
}
