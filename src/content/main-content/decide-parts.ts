import type { Node } from '../tree/tree.ts'
import type { Choice, Reason } from './choice.ts'
import type { Evidence } from './evidence.ts'

/** Keeps all that stands in these parts, or leaves it out, whatever was chosen before. */
export function decideParts(
  choice: Choice,
  { tree, blocks }: Evidence,
  parts: Node[],
  { isKept, reason }: { isKept: boolean; reason: Reason },
): void {
  for (const part of parts) {
    const to = blocks.before[tree.ends[part] ?? 0] ?? 0
    for (let block = blocks.before[part] ?? 0; block < to; block += 1) {
      choice.kept[block] = Number(isKept)
      choice.reasons[block] = reason
    }
  }
}
