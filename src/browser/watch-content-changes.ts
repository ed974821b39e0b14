import type { ShownContent } from './watch-content-shown.ts'

/** State of a document, for its lifetime. */
export interface Watch {
  changedAt: number
  /** Changes up to here have been reported. */
  toldAt: number
  /** Our own timers: their ids come from the same sequence as those of the page. */
  ownTimers: number
  shown: ShownContent | undefined
  follow(root: Node): void
}

type Sizes = WeakMap<Node, { now: number; most: number; changes: number }>

/** After this many changes, an element only counts if it grows: clocks and tickers never stop. */
const mostRestless = 8

export const changeParts = { startWatch, isNoticed, weight, mostRestless }

declare const code: typeof import('./watch-content-shown.ts').code
declare const isElement: typeof import('./watch-content-shown.ts').isElement

/** Notices when the content of a document changes. Runs in the page. */
export function startWatch(): Watch {
  const followed = new WeakSet<Node>()
  const sizes: Sizes = new WeakMap()
  const observer = new MutationObserver((records) => {
    watch.shown = undefined
    if (records.filter((record) => isNoticed(sizes, record)).length > 0) watch.changedAt = performance.now()
  })
  const watch: Watch = {
    changedAt: performance.now(),
    toldAt: performance.now(),
    ownTimers: 0,
    shown: undefined,
    follow(root) {
      const isInside = document.contains(root) && root !== document.documentElement
      if (followed.has(root) || isInside) return
      followed.add(root)
      observer.observe(root, {
        ...{ childList: true, subtree: true, characterData: true, characterDataOldValue: true },
        attributeFilter: ['class', 'style', 'hidden', 'aria-busy'],
      })
    },
  }
  if (document.documentElement) watch.follow(document.documentElement)
  return watch
}

/** Counted incrementally: measuring a long list again for each new entry would take quadratic time. */
function isNoticed(
  sizes: Sizes,
  { type, target, addedNodes, removedNodes, oldValue }: MutationRecord,
): boolean {
  // Changes of visibility by attributes count, but an animation is not content.
  if (type === 'attributes') return false
  const isText = type === 'characterData'
  const added = isText ? (target.nodeValue?.length ?? 0) : weight(addedNodes)
  const removed = isText ? (oldValue?.length ?? 0) : weight(removedNodes)
  if (added + removed === 0 || code.has((target as Element).localName)) return false
  const size = sizes.get(target) ?? { now: 0, most: 0, changes: 0 }
  sizes.set(target, size)
  size.now += added - removed
  size.changes += 1
  const isLonger = size.now > size.most
  size.most = Math.max(size.most, size.now)
  return isLonger || size.changes <= mostRestless
}

function weight(nodes: NodeList): number {
  let sum = 0
  for (const node of nodes) {
    if (isElement(node)) sum += code.has(node.localName) ? 0 : 1 + (node.textContent?.length ?? 0)
    else if (node.nodeType === Node.TEXT_NODE) sum += node.nodeValue?.length ?? 0
  }
  return sum
}
