import { type Node, none } from '../tree/tree.ts'
import { cleanBlocks, wordsOf } from './clean-blocks.ts'
import type { Evidence, PageSource } from './evidence.ts'
import { type Decision, decide, leaveOut, type MainContent } from './main-content.ts'
import type { MainContentMode } from './mode.ts'

/** What is cleaned: the main content in a mode, or these parts of the page, whatever they are. */
export type Cleaned = { mode: MainContentMode | undefined } | { parts: readonly Node[]; hasTitle: boolean }

/** If less than this share of what is surely wanted is left, the model does not know pages of this kind. */
const leastLeft = 0.25

/**
 * A stricter pass over what was asked for: furniture that the ordinary choice leaves in doubt goes too. Undefined where the
 * model cannot tell: of a page of a few words, or where nearly nothing would be left.
 */
export function cleanContent(source: PageSource, asked: Cleaned): MainContent | undefined {
  const isMain = 'mode' in asked
  const decision = decide(source, isMain ? asked.mode : undefined)
  if (decision.road === 'pruned') return undefined
  const { evidence, choice } = decision
  const base = isMain ? choice.kept : blocksIn(evidence, asked.parts)
  const kept = cleanBlocks(decision, base, isMain ? 'main' : 'page')
  if (wordsOf(evidence, kept) < wordsWanted(decision, base) * leastLeft || !kept.includes(1)) return undefined
  return leaveOut(source, decision, { kept, hasTitle: isMain || asked.hasTitle })
}

function blocksIn({ tree, blocks }: Evidence, parts: readonly Node[]): Uint8Array {
  const kept = new Uint8Array(blocks.count)
  for (const part of parts) kept.fill(1, blocks.before[part], blocks.before[tree.ends[part] ?? none])
  return kept
}

/** Of the main content, as far as it was asked for; where nothing of it was, of all that was. */
function wordsWanted({ evidence, choice }: Decision, base: Uint8Array): number {
  const both = base.map((isKept, block) => isKept & (choice.kept[block] ?? 0))
  return wordsOf(evidence, both) || wordsOf(evidence, base)
}
