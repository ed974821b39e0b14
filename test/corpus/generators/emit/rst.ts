import type { Block, Item, ManualPage, Signature } from '../sources/block.ts'
import { indented, inline } from './inline.ts'

/** Returns a page of the manual for Sphinx. */
export function rst({ title, blocks }: ManualPage): string {
  return `${underlined(title, '=')}\n\n${blocks.map(block).join('\n\n')}\n`
}

const underlined = (text: string, character: string) => `${text}\n${character.repeat(text.length)}`

const text = (source: string) =>
  inline(source, {
    plain: (part) => part,
    code: (part) => `\`\`${part}\`\``,
    strong: (part) => `**${part}**`,
    emphasis: (part) => `*${part}*`,
    note: (label) => ` [${label}]_`,
  })

function block(source: Block): string {
  switch (source.kind) {
    case 'paragraph':
      return text(source.text)
    case 'heading':
      return underlined(text(source.text), source.level === 2 ? '-' : '~')
    case 'code':
      return directive('code-block', source.language, source.text, caption(source.caption, ':caption:'))
    case 'table': {
      const rows = [source.head, ...source.rows].map((row) =>
        row.map((cell, column) => `${column === 0 ? '* - ' : '  - '}${text(cell)}`).join('\n'),
      )
      return directive('list-table', source.caption ?? '', rows.join('\n'), ':header-rows: 1')
    }
    case 'definitions':
      return source.entries.map(([term, meaning]) => `${text(term)}\n   ${text(meaning)}`).join('\n\n')
    case 'note':
      return directive(source.type, '', text(source.text))
    case 'list':
      return source.items.map((item) => listItem(item, source.isOrdered ? '#. ' : '- ')).join('\n')
    case 'figure':
      return directive('figure', `/${source.source}`, text(source.caption), `:alt: ${source.alt}`)
    case 'tabs': {
      const items = source.tabs.map((tab) =>
        directive('tab-item', tab.label, directive('code-block', tab.language, tab.text)),
      )
      return directive('tab-set', '', items.join('\n\n'))
    }
    case 'footnote':
      return `.. [${source.label}] ${text(source.text)}`
    case 'details':
      return directive('dropdown', source.summary, text(source.text))
    case 'quote':
      return indented(text(source.text), '   ')
    case 'signature':
      return signature(source.signature)
  }
}

const caption = (captionText: string | undefined, option: string) =>
  captionText === undefined ? undefined : `${option} ${captionText}`

function directive(name: string, argument: string, body: string, option?: string): string {
  const options = option === undefined ? '' : `\n   ${option}`
  return `.. ${name}:: ${argument}${options}\n\n${indented(body, '   ')}`
}

function listItem(item: Item, marker: string): string {
  if (typeof item === 'string') return `${marker}${text(item)}`
  const inner = item[1].map((part) => `${' '.repeat(marker.length)}- ${text(part)}`).join('\n')
  return `${marker}${text(item[0])}\n\n${inner}\n`
}

function signature({ name, parameters, returns, text: description }: Signature): string {
  const typedParameters = parameters.map(
    (parameter) =>
      `${parameter.name}: ${parameter.type}${parameter.default ? ` = ${parameter.default}` : ''}`,
  )
  const fields = parameters.map((parameter) => `:param ${parameter.name}: ${text(parameter.text)}`)
  const body = [text(description), '', ...fields, `:returns: ${text(returns.text)}`].join('\n')
  return directive('py:function', `${name}(${typedParameters.join(', ')}) -> ${returns.type}`, body)
}
