import { tag } from '../tree/names.ts'
import { type Choice, change } from './choice.ts'
import type { Evidence } from './evidence.ts'
import { keptWordsBefore } from './section-headings.ts'

/** Who is quoted, and when they said it. */
const mostWords = 15
const mostOfQuote = 0.5

/** A quotation keeps its first line where the rest is kept: boards say there whose words these are. */
export function keepQuoted(choice: Choice, { tree, blocks }: Evidence): void {
  const keptBefore = keptWordsBefore(choice, blocks)
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.blockquote) continue
    const from = blocks.before[node] ?? 0
    const to = blocks.before[tree.ends[node] ?? 0] ?? 0
    const isLine = to - from > 1 && (blocks.words[from] ?? 0) <= mostWords
    if (!isLine || choice.kept[from] === 1) continue
    const kept = (keptBefore[to] ?? 0) - (keptBefore[from + 1] ?? 0)
    const all = (blocks.wordsBefore[to] ?? 0) - (blocks.wordsBefore[from + 1] ?? 0)
    if (kept > 0 && kept >= all * mostOfQuote) change(choice, from, true, 'whole quotation')
  }
}
