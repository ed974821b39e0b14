import { type Node, none, root } from '../tree/tree.ts'
import { type Choice, change } from './choice.ts'
import { type Evidence, holderOf, widerThan } from './evidence.ts'
import { isHeading } from './page-facts.ts'

const fewestSections = 3
/** Far below this, a heading like the others leads to what other pages say. */
const leastOfHeading = 0.25
const leastOfText = 0.2
const mostWords = 80

/** More than there are tags. */
const tagRoom = 1024

interface Sections {
  kept: number
  /** The heading of the last one, and where that section ends. */
  last: number
  end: number
}

/**
 * What a page says last is often a line of links ("See also"), which alone looks like a menu. Where it stands under a heading
 * like those of the sections that are kept, in the same element, it is one of them.
 */
export function keepLastSection(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { blocks } = evidence
  for (const { kept, last, end } of sectionsOf(choice, evidence)) {
    const isOne = kept >= fewestSections && choice.kept[last] !== 1
    if (!isOne || (probabilities[last] ?? 0) < leastOfHeading) continue
    const words = (blocks.wordsBefore[end] ?? 0) - (blocks.wordsBefore[last] ?? 0)
    let isLikely = end > last + 1 && words <= mostWords
    for (let block = last + 1; block < end && isLikely; block += 1)
      isLikely = choice.kept[block] === 1 || (probabilities[block] ?? 0) >= leastOfText
    if (!isLikely) continue
    for (let block = last; block < end; block += 1) change(choice, block, true, 'heading of a kept part')
  }
}

/** Headings of one level that stand in the same element, themselves or as the first line of a part of it. */
function sectionsOf(choice: Choice, { tree, blocks, elements }: Evidence): Iterable<Sections> {
  const sections = new Map<number, Sections>()
  const note = (around: Node, level: number, last: number, holder: Node) => {
    if (around === none) return
    const key = around * tagRoom + level
    const kept = (sections.get(key)?.kept ?? 0) + (choice.kept[last] ?? 0)
    sections.set(key, { kept, last, end: blocks.before[tree.ends[holder] ?? 0] ?? 0 })
  }
  for (let block = 0; block < blocks.count; block += 1) {
    const holder = holderOf(blocks, block)
    const level = tree.tags[holder] ?? 0
    if (!isHeading(level)) continue
    const part = widerThan(elements, holder)
    note(part, level, block, part)
    if (part > root && blocks.before[part] === block) note(widerThan(elements, part), level, block, part)
  }
  return sections.values()
}
