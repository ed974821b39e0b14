import { emptyUrl } from '../addresses.ts'
import type { Excerpt } from '../select-content.ts'
import { tag } from '../tree/names.ts'
import { endOf, type Node, none, root } from '../tree/tree.ts'
import { newBlockWriter } from './block-writer.ts'
import { writeBlocks, writeTitle } from './blocks.ts'
import { isSilent, readFacts } from './facts.ts'
import { findFootnotes, noFootnotes } from './footnotes.ts'
import { newInlineWriter } from './inline-writer.ts'
import { createTargets, isHeading } from './link.ts'
import { hasTabRoles, readTabs } from './tabs.ts'
import type { Context, MarkdownOptions, Writer } from './writer.ts'

/** A part of a page as Markdown (GFM), with every address absolute. */
export function toMarkdown(excerpt: Excerpt, options: MarkdownOptions): string {
  const { tree } = excerpt
  const facts = readFacts(excerpt)
  const output = newBlockWriter()
  const writer: Writer = {
    tree,
    facts: facts.of,
    options,
    output,
    inline: newInlineWriter(output),
    scan: { from: 0, to: 0, isUneven: false, isSpecial: false },
    page:
      excerpt.base === emptyUrl
        ? '#'
        : `${(URL.parse(excerpt.base)?.href ?? excerpt.base).split('#', 1)[0]}#`,
    targetOf: createTargets(excerpt.base),
    notes: facts.mayHaveNotes ? findFootnotes(excerpt, facts.of) : noFootnotes,
    labels: facts.mayHaveTabs || hasTabRoles(tree) ? readTabs(excerpt, facts.of) : new Map(),
    imageTimes: undefined,
    siteLanguage: undefined,
    spentLink: none,
    headingLink: { heading: none, link: none },
    headingLift: headingLift(excerpt, facts.of),
    runEnd: none,
    isInHeading: false,
    isInTitle: false,
    blocks: (from, end, context) => writeBlocks(writer, from, end, context),
  }
  if (excerpt.title !== none) writeTitle(writer, excerpt.title, outermost)
  for (const { from, end } of ranges(excerpt)) writeBlocks(writer, from, end, outermost)
  return withoutOuterRules(output.parts.join(''))
}

/** A rule divides; at an edge it divides the content from what was left out. */
function withoutOuterRules(markdown: string): string {
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

const outermost: Context = { marks: 0, link: none, level: 0, isInItem: false, isInDefinition: false }

/** Neighbours in one range: together they may be one paragraph. */
function ranges({ tree, kept }: Excerpt): { from: Node; end: Node }[] {
  const found: { from: Node; end: Node }[] = []
  for (const node of kept) {
    const last = found.at(-1)
    const from = node === root ? 1 : node
    const end = node === root ? tree.count : (tree.ends[node] ?? tree.count)
    if (last && last.end === from) last.end = end
    else found.push({ from, end })
  }
  return found
}

/**
 * By how many levels the headings of a page are to be moved up: its title is on the first level, whatever it was,
 * and the headings below it follow it there. None, if another heading is as high as the title was.
 */
function headingLift({ tree, kept, title }: Excerpt, facts: Uint16Array): number {
  const level = title === none || !isHeading(tree, title) ? 1 : levelOf(tree.tags[title] ?? 0)
  if (level === 1) return 0
  let highest = 7
  for (const node of kept) {
    const end = endOf(tree, node)
    for (let at: Node = node; at < end; ) {
      const isPassed = at === title || ((facts[at] ?? 0) & isSilent) !== 0
      if (!isPassed && isHeading(tree, at)) highest = Math.min(highest, levelOf(tree.tags[at] ?? 0))
      at = isPassed ? endOf(tree, at) : at + 1
    }
  }
  return highest > level && highest <= 6 ? highest - 2 : 0
}

const levelOf = (name: number) => name - tag.h1 + 1
