import type { Excerpt } from '../excerpt.ts'
import { tag } from '../tree/names.ts'
import { endOf, type Node, none } from '../tree/tree.ts'
import { isSilent } from './facts.ts'
import { isHeading } from './link.ts'

/**
 * By how many levels the headings of a page are to be moved up: its title is on the first level, whatever it was,
 * and the headings below it follow it there. None, if another heading is as high as the title was.
 */
export function headingLift({ tree, kept, title }: Excerpt, facts: Uint16Array): number {
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
