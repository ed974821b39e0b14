import { emptyUrl } from '../addresses.ts'
import type { Excerpt } from '../select-content.ts'
import { tag } from '../tree/names.ts'
import { endOf, mergeRanges, type Node, none } from '../tree/tree.ts'
import { createBlockWriter } from './block-writer.ts'
import { writeBlocks, writeCell, writeTerm, writeTitle } from './blocks.ts'
import { readFacts, silentBit } from './facts.ts'
import { findFootnotes, noFootnotes } from './footnotes.ts'
import { createInlineWriter } from './inline-writer.ts'
import { createTargets, isHeading } from './link.ts'
import { hasTabRoles, readTabs } from './tabs.ts'
import type { Context, MarkdownOptions, Writer } from './writer.ts'

export function toMarkdown(excerpt: Excerpt, options: MarkdownOptions): string {
  const { tree } = excerpt
  const facts = readFacts(excerpt)
  const output = createBlockWriter()
  const writer: Writer = {
    tree,
    facts: facts.bits,
    options,
    output,
    inline: createInlineWriter(output),
    scan: { from: 0, to: 0, needsCollapsing: false, needsEscaping: false },
    page:
      excerpt.base === emptyUrl
        ? '#'
        : `${(URL.parse(excerpt.base)?.href ?? excerpt.base).split('#', 1)[0]}#`,
    targetOf: createTargets(excerpt.base),
    notes: facts.mayHaveNotes ? findFootnotes(excerpt, facts.bits) : noFootnotes,
    labels: facts.mayHaveTabs || hasTabRoles(tree) ? readTabs(excerpt, facts.bits) : new Map(),
    imageCounts: undefined,
    siteLanguage: undefined,
    writtenLink: none,
    headingLink: { heading: none, link: none },
    headingShift: getHeadingShift(excerpt, facts.bits),
    runEnd: none,
    isInHeading: false,
    isInTitle: false,
    writeBlocks: (from, end, context) => writeBlocks(writer, from, end, context),
    writeTerm: (term, context) => writeTerm(writer, term, context),
    writeCell: (cell, context) => writeCell(writer, cell, context),
  }
  if (excerpt.title !== none) writeTitle(writer, excerpt.title, rootContext)
  for (const { from, end } of mergeRanges(tree, excerpt.kept)) writeBlocks(writer, from, end, rootContext)
  return removeOuterRules(output.parts.join(''))
}

/** Removes horizontal rules at both ends, because there they only separate the content from omitted parts. */
function removeOuterRules(markdown: string): string {
  let [from, to] = [0, markdown.length]
  while (markdown.startsWith('---\n', from)) {
    from += 4
    while (markdown[from] === '\n') from += 1
  }
  while (to - 5 >= from && markdown.startsWith('\n\n---', to - 5)) {
    to -= 5
    while (to > from && markdown[to - 1] === '\n') to -= 1
  }
  return markdown.slice(from, to)
}

const rootContext: Context = { marks: 0, link: none, level: 0, isInItem: false, isInDefinition: false }

/** If the title is above all other headings, it becomes level 1 and the highest of the others level 2. */
function getHeadingShift({ tree, kept, title }: Excerpt, facts: Uint16Array): number {
  const level = title === none || !isHeading(tree, title) ? 1 : getLevel(tree.tags[title] ?? 0)
  if (level === 1) return 0
  let topLevel = 7
  for (const node of kept) {
    const end = endOf(tree, node)
    for (let at: Node = node; at < end; ) {
      const isIgnored = at === title || ((facts[at] ?? 0) & silentBit) !== 0
      if (!isIgnored && isHeading(tree, at)) topLevel = Math.min(topLevel, getLevel(tree.tags[at] ?? 0))
      at = isIgnored ? endOf(tree, at) : at + 1
    }
  }
  return topLevel > level && topLevel <= 6 ? topLevel - 2 : 0
}

const getLevel = (name: number) => name - tag.h1 + 1
