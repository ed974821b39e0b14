import { endOf, type Node, none } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, words } from '../vocabulary/words.ts'
import type { Found } from './found.ts'
import type { Lines } from './lines.ts'
import type { PageContext } from './page-context.ts'
import type { Slot } from './slots.ts'

const score = 0.76

/** The heading with which the part that holds the other fields begins. */
export function readSubjectTitle(
  { tree, list, before }: Lines,
  slots: readonly Slot[],
  subject: Node,
  page: PageContext,
): Map<Slot, Found> {
  const found = new Map<Slot, Found>()
  if (subject === none) return found
  const first = list.slice(before[subject] ?? 0, before[endOf(tree, subject)]).find(({ level }) => level > 0)
  // A heading that names a section is not that of the whole.
  if (!first || isKnownLabel(phraseOf(first.words)) || !isTitled(first.text, page)) return found
  for (const slot of slots) {
    if (slot.names.concept !== 'title' || slot.spec.kind === 'list' || slot.path.includes('.')) continue
    const value = coerce(slot.spec, first.text, { ...page, ...slot.names })
    if (value !== undefined)
      found.set(slot, { value, text: first.text, node: first.first, reader: 'title', score })
  }
  return found
}

/** Whether a text is what the title of the page names: most of its words stand there. */
export function isTitled(text: string, { title }: { title: string }): boolean {
  const told = new Set(words(title))
  const own = words(text)
  return own.length > 0 && own.filter((word) => told.has(word)).length * 2 >= own.length
}
