import type { Heading } from './headings.ts'
import type { Units } from './units.ts'

/** A heading with what stands below it; the first one, without a heading, is the whole text. */
export interface Section {
  heading: Heading | undefined
  /** The section around it; of the first one itself. */
  parent: number
  /** Its first unit, and the one behind its own, before its first subsection. */
  start: number
  ownEnd: number
  /** The unit behind all of it, and the section behind its last subsection. */
  end: number
  behind: number
}

/** The sections in the order of their headings. */
export function sectionsOf({ headings, starts }: Units): Section[] {
  const [count, open] = [starts.length, [0]]
  const first = { heading: undefined, parent: 0, start: 0, ownEnd: count, end: count, behind: 0 }
  const sections: Section[] = [first]
  const close = (section: Section | undefined, unit: number) => {
    if (!section) return
    section.end = unit
    section.behind = sections.length
  }
  for (const [unit, heading] of headings) {
    // The whole text has no level, so it stays open.
    while (levelOf(sections[open.at(-1) ?? 0]) >= heading.level) close(sections[open.pop() ?? 0], unit)
    const previous = sections.at(-1)
    if (previous) previous.ownEnd = unit
    const parent = open.at(-1) ?? 0
    open.push(sections.length)
    sections.push({ heading, parent, start: unit, ownEnd: count, end: count, behind: 0 })
  }
  for (const index of open) close(sections[index], count)
  return sections
}

const levelOf = (section: Section | undefined) => section?.heading?.level ?? 0

/** The titles on the way to a section. */
export function pathOf(sections: readonly Section[], section: number): string[] {
  const path: string[] = []
  for (let at = section; at > 0; at = sections[at]?.parent ?? 0) path.push(sections[at]?.heading?.title ?? '')
  return path.reverse()
}

/** The innermost section around two. */
export function commonSection(sections: readonly Section[], one: number, other: number): number {
  let common = one
  while (other < common || other >= (sections[common]?.behind ?? 0)) common = sections[common]?.parent ?? 0
  return common
}
