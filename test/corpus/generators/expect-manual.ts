import type { Expectation } from './expectation.ts'
import type { Block, ManualPage, NoteType, Signature } from './sources/block.ts'

/** What a generator leaves of the source in its pages. */
export interface Traits {
  /** The kind each note has on the page, or nothing where a note is only text. */
  notes: Partial<Record<NoteType, string>>
  hasLanguage: boolean
  signature: 'python' | 'prototype' | 'list' | 'table'
  /** What stands before the title of a page. */
  beforeTitle?: (index: number) => string
  note?: (type: string, text: string) => string
}

const named: Traits['notes'] = {
  note: 'NOTE',
  tip: 'TIP',
  warning: 'WARNING',
  caution: 'CAUTION',
  important: 'IMPORTANT',
}
const bold = (type: string) => type.charAt(0).toUpperCase() + type.slice(1)

export const traits: Record<string, Traits> = {
  sphinx: { notes: named, hasLanguage: true, signature: 'python' },
  readthedocs: { notes: named, hasLanguage: true, signature: 'python' },
  // The highlighter of its default theme leaves the language out of the page.
  mkdocs: { notes: named, hasLanguage: false, signature: 'table' },
  material: { notes: named, hasLanguage: true, signature: 'table' },
  docusaurus: {
    notes: { ...named, important: 'NOTE' },
    hasLanguage: true,
    signature: 'table',
  },
  vitepress: { notes: { ...named, important: 'WARNING' }, hasLanguage: true, signature: 'table' },
  gitbook: {
    notes: {},
    hasLanguage: true,
    signature: 'table',
    note: (type, text) => `> **${bold(type)}** ${text}`,
  },
  asciidoc: { notes: named, hasLanguage: true, signature: 'table' },
  docbook: {
    notes: named,
    hasLanguage: false,
    signature: 'prototype',
    beforeTitle: (index) => `Chapter ${index + 1}. `,
  },
  wordpress: {
    notes: {},
    hasLanguage: true,
    signature: 'list',
    note: (type, text) => `**${bold(type)}:** ${text}`,
  },
}

type Wanted = Omit<Expectation, 'url' | 'not'>

/** What a demanding reader wants of a page of the manual. */
export function expectPage(page: ManualPage, index: number, traits: Traits): Wanted {
  const wanted: Wanted = { lines: [], text: [], words: [], inOrder: [] }
  wanted.lines.push(`# ${traits.beforeTitle?.(index) ?? ''}${page.title}`)
  for (const block of page.blocks) expectBlock(block, traits, wanted)
  return wanted
}

function expectBlock(block: Block, traits: Traits, { lines, text, words, inOrder }: Wanted): void {
  switch (block.kind) {
    case 'paragraph':
      text.push(...block.text.split(/\s*\[\^\w\]\s*/).filter((part) => part !== ''))
      break
    case 'heading':
      lines.push(`${'#'.repeat(block.level)} ${block.text}`)
      break
    case 'code':
      lines.push(`\`\`\`${traits.hasLanguage ? block.language : ''}\n${block.text}\n\`\`\``)
      if (block.caption) inOrder.push([block.caption, block.text.split('\n')[0] ?? ''])
      break
    case 'table':
      lines.push(row(block.head), block.rows.map(row).join('\n'))
      if (block.caption) words.push(block.caption)
      break
    case 'definitions':
      for (const [term, meaning] of block.entries) lines.push(`${term}\n: ${meaning}`)
      break
    case 'note': {
      const kind = traits.notes[block.type]
      lines.push(
        kind ? `> [!${kind}]\n> ${block.text}` : (traits.note?.(block.type, block.text) ?? block.text),
      )
      break
    }
    case 'list':
      lines.push(
        block.items.map((item, at) => listItem(item, block.isOrdered ? `${at + 1}. ` : '- ')).join('\n'),
      )
      break
    case 'figure':
      text.push(`![${block.alt}](`)
      words.push(block.caption)
      break
    case 'tabs':
      inOrder.push(block.tabs.flatMap((tab) => [tab.label, tab.text.split('\n')[0] ?? '']))
      break
    case 'footnote':
      text.push(`[^${block.label}]`, `[^${block.label}]: ${block.text}`)
      break
    case 'details':
      inOrder.push([block.summary, block.text])
      break
    case 'quote':
      text.push(`> ${block.text}`)
      break
    case 'signature':
      expectSignature(block.signature, traits, { lines, text, words, inOrder })
  }
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`

function listItem(item: string | [string, string[]], sign: string): string {
  if (typeof item === 'string') return sign + item
  return [sign + item[0], ...item[1].map((part) => `${' '.repeat(sign.length)}- ${part}`)].join('\n')
}

function expectSignature(source: Signature, traits: Traits, { lines, text, words, inOrder }: Wanted): void {
  const { name, parameters, returns } = source
  text.push(source.text)
  const names = parameters.map((one) => one.name + (one.default ? `=${one.default}` : ''))
  switch (traits.signature) {
    case 'python': {
      const typed = parameters.map(
        (one) => `${one.name}: ${one.type}${one.default ? ` = ${one.default}` : ''}`,
      )
      words.push(`${name}(${typed.join(', ')}) → ${returns.type}`)
      for (const one of parameters) inOrder.push([`${name}(`, one.name, one.text])
      text.push(returns.text)
      break
    }
    case 'prototype':
      inOrder.push([`${returns.type} ${name}(`, ...parameters.map((one) => `${one.type} ${one.name}`)])
      for (const one of parameters) words.push(`${one.name} : ${one.text}`)
      text.push(`Returns: ${returns.text}`)
      break
    case 'list':
      lines.push(`## \`${name}(${names.join(', ')})\``)
      lines.push(parameters.map((one) => `- \`${one.name}\` (\`${one.type}\`): ${one.text}`).join('\n'))
      lines.push(`**Returns** \`${returns.type}\`: ${returns.text}`)
      break
    case 'table':
      lines.push(`## \`${name}(${names.join(', ')})\``, row(['Parameter', 'Type', 'Meaning']))
      lines.push(parameters.map((one) => row([`\`${one.name}\``, `\`${one.type}\``, one.text])).join('\n'))
      lines.push(`**Returns** \`${returns.type}\`: ${returns.text}`)
  }
}
