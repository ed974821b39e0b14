import type { Expectation } from './expectation.ts'
import type { Block, ManualPage, NoteType, Signature } from './sources/block.ts'

/** Parts of the source that a generator preserves in its pages. */
export interface Traits {
  /** Kind of each note on the page. Absent if the page has the note only as text. */
  notes: Partial<Record<NoteType, string>>
  hasLanguage: boolean
  signature: 'python' | 'prototype' | 'list' | 'table'
  /** Returns the text before the title of a page. */
  beforeTitle?: (index: number) => string
  note?: (type: string, text: string) => string
}

const noteKinds: Traits['notes'] = {
  note: 'NOTE',
  tip: 'TIP',
  warning: 'WARNING',
  caution: 'CAUTION',
  important: 'IMPORTANT',
}
const capitalize = (type: string) => type.charAt(0).toUpperCase() + type.slice(1)

export const traits: Record<string, Traits> = {
  sphinx: { notes: noteKinds, hasLanguage: true, signature: 'python' },
  readthedocs: { notes: noteKinds, hasLanguage: true, signature: 'python' },
  // The highlighter of the default theme omits the language from the page.
  mkdocs: { notes: noteKinds, hasLanguage: false, signature: 'table' },
  material: { notes: noteKinds, hasLanguage: true, signature: 'table' },
  docusaurus: {
    notes: { ...noteKinds, important: 'NOTE' },
    hasLanguage: true,
    signature: 'table',
  },
  vitepress: { notes: { ...noteKinds, important: 'WARNING' }, hasLanguage: true, signature: 'table' },
  gitbook: {
    notes: {},
    hasLanguage: true,
    signature: 'table',
    note: (type, text) => `> **${capitalize(type)}** ${text}`,
  },
  asciidoc: { notes: noteKinds, hasLanguage: true, signature: 'table' },
  docbook: {
    notes: noteKinds,
    hasLanguage: false,
    signature: 'prototype',
    beforeTitle: (index) => `Chapter ${index + 1}. `,
  },
  wordpress: {
    notes: {},
    hasLanguage: true,
    signature: 'list',
    note: (type, text) => `**${capitalize(type)}:** ${text}`,
  },
}

type PageExpectation = Omit<Expectation, 'url' | 'not'>

/** Returns the expectations of a strict reader for a page of the manual. */
export function expectPage(page: ManualPage, index: number, traits: Traits): PageExpectation {
  const expected: PageExpectation = { lines: [], text: [], words: [], inOrder: [] }
  expected.lines.push(`# ${traits.beforeTitle?.(index) ?? ''}${page.title}`)
  for (const block of page.blocks) expectBlock(block, traits, expected)
  return expected
}

function expectBlock(block: Block, traits: Traits, { lines, text, words, inOrder }: PageExpectation): void {
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
        block.items
          .map((item, itemIndex) => listItem(item, block.isOrdered ? `${itemIndex + 1}. ` : '- '))
          .join('\n'),
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

function listItem(item: string | [string, string[]], marker: string): string {
  if (typeof item === 'string') return marker + item
  return [marker + item[0], ...item[1].map((part) => `${' '.repeat(marker.length)}- ${part}`)].join('\n')
}

function expectSignature(
  source: Signature,
  traits: Traits,
  { lines, text, words, inOrder }: PageExpectation,
): void {
  const { name, parameters, returns } = source
  text.push(source.text)
  const names = parameters.map(
    (parameter) => parameter.name + (parameter.default ? `=${parameter.default}` : ''),
  )
  switch (traits.signature) {
    case 'python': {
      const typed = parameters.map(
        (parameter) =>
          `${parameter.name}: ${parameter.type}${parameter.default ? ` = ${parameter.default}` : ''}`,
      )
      words.push(`${name}(${typed.join(', ')}) → ${returns.type}`)
      for (const parameter of parameters) inOrder.push([`${name}(`, parameter.name, parameter.text])
      text.push(returns.text)
      break
    }
    case 'prototype':
      inOrder.push([
        `${returns.type} ${name}(`,
        ...parameters.map((parameter) => `${parameter.type} ${parameter.name}`),
      ])
      for (const parameter of parameters) words.push(`${parameter.name} : ${parameter.text}`)
      text.push(`Returns: ${returns.text}`)
      break
    case 'list':
      lines.push(`## \`${name}(${names.join(', ')})\``)
      lines.push(
        parameters
          .map((parameter) => `- \`${parameter.name}\` (\`${parameter.type}\`): ${parameter.text}`)
          .join('\n'),
      )
      lines.push(`**Returns** \`${returns.type}\`: ${returns.text}`)
      break
    case 'table':
      lines.push(`## \`${name}(${names.join(', ')})\``, row(['Parameter', 'Type', 'Meaning']))
      lines.push(
        parameters
          .map((parameter) => row([`\`${parameter.name}\``, `\`${parameter.type}\``, parameter.text]))
          .join('\n'),
      )
      lines.push(`**Returns** \`${returns.type}\`: ${returns.text}`)
  }
}
