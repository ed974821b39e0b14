import { textBefore } from './text-before.ts'
import { endOf, type Node, root } from './tree/tree.ts'
import type { WantedParts } from './wanted-parts.ts'

/** How much of the text of a page became content, and why the rest did not. In characters. */
export interface TextAccount {
  whole: number
  kept: number
  leftOut: { reason: LeftOutReason; characters: number; parts: number }[]
}

export type LeftOutReason =
  | 'hidden on the page'
  | 'advertisement or dialog'
  | 'excludeTags'
  | 'outside includeTags'
  | 'not main content'

export function textAccount(parts: WantedParts, { isNamed }: { isNamed: boolean }): TextAccount {
  const { tree, kept } = parts
  const before = textBefore(tree)
  const lengthOf = (from: Node, to: Node) => (before[to] ?? 0) - (before[from] ?? 0)
  const left = new Map<LeftOutReason, { characters: number; parts: number }>()
  const leave = (reason: LeftOutReason, characters: number) => {
    if (characters === 0) return
    const sum = left.get(reason) ?? { characters: 0, parts: 0 }
    left.set(reason, { characters: sum.characters + characters, parts: sum.parts + 1 })
  }
  let end = root
  for (const node of [...kept, tree.count]) {
    leaveOut(
      parts,
      { from: end, to: node },
      { lengthOf, leave, otherwise: isNamed ? 'outside includeTags' : 'not main content' },
    )
    if (node === tree.count) break
    end = endOf(tree, node)
    leaveOut(parts, { from: node, to: end }, { lengthOf, leave, otherwise: undefined })
  }
  const whole = lengthOf(root, tree.count)
  const lost = [...left.values()].reduce((sum, { characters }) => sum + characters, 0)
  return { whole, kept: whole - lost, leftOut: [...left].map(([reason, sum]) => ({ reason, ...sum })) }
}

interface Counting {
  lengthOf: (from: Node, to: Node) => number
  leave: (reason: LeftOutReason, characters: number) => void
  /** Why what has no mark is left out; undefined where it is kept. */
  otherwise: LeftOutReason | undefined
}

/** Adds up what is left out between two nodes: marked subtrees, and the rest where it is not kept. */
function leaveOut(
  { tree, skipped, marks }: WantedParts,
  { from, to }: { from: Node; to: Node },
  { lengthOf, leave, otherwise }: Counting,
): void {
  let marked = 0
  for (let node = from; node < to; node += 1) {
    const reason = reasonOf(marks, skipped, node)
    if (reason === undefined || (otherwise !== undefined && reason === 'not main content')) continue
    const end = Math.min(endOf(tree, node), to)
    leave(reason, lengthOf(node, end))
    marked += lengthOf(node, end)
    node = end - 1
  }
  if (otherwise !== undefined) leave(otherwise, lengthOf(from, to) - marked)
}

export function reasonOf(
  { hidden, blocked, excluded }: WantedParts['marks'],
  skipped: Uint8Array,
  node: Node,
): LeftOutReason | undefined {
  if (hidden?.[node] === 1) return 'hidden on the page'
  if (blocked[node] === 1) return 'advertisement or dialog'
  if (excluded[node] === 1) return 'excludeTags'
  return skipped[node] === 1 ? 'not main content' : undefined
}
