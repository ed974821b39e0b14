import { tag } from '../../content/tree/names.ts'
import type { Frame } from './frames.ts'
import type { PageFacts } from './page-facts.ts'

/**
 * Takes into account what a container turned out to hold. It is outermost where nothing that is still open stands around the main
 * part.
 */
export function settleFrame(facts: PageFacts, frame: Frame, { isOutermost }: { isOutermost: boolean }): void {
  const text = facts.prose + facts.linked - frame.before.prose - frame.before.linked
  const others = facts.media + facts.fields - frame.before.media - frame.before.fields
  if (frame.tag === tag.tbody && text + others === 0) facts.emptyTables += 1
  // A logo and "Loading …" are no content.
  if (frame.isRoot && text < 40 && others === 0) {
    if (frame.isOwn) facts.emptyOwnRoots += 1
    else facts.emptyRoots += 1
  }
  // Teasers of other pages are articles too, and mostly links.
  const isTeaser = frame.tag === tag.article && facts.prose - frame.before.prose < 100
  if ((frame.isRoot || frame.isMain) && text >= 100 && !isTeaser) facts.filled += 1
  if (frame.isMain && frame.tag !== tag.article) {
    facts.mains += 1
    if (text < 20 && others === 0) facts.emptyMains += 1
  }
  if (frame.surrounding && isOutermost) takeBack(facts, frame)
}

/** What was put aside wrongly: a wrapper called "has-sidebar" is no sidebar, and end tags are forgotten. */
function takeBack(facts: PageFacts, { surrounding, hasEndTag, before }: Frame): void {
  const aside = facts.proseAround - before.proseAround
  if (aside < (hasEndTag ? leastDoubtful[surrounding ?? 'element'] : 500)) return
  facts.prose += aside
  facts.proseAround -= aside
}

/** The shortest text for which each kind of surrounding is doubted. */
const leastDoubtful = { element: Infinity, foot: 2500, name: 1000 }
