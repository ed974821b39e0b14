import { tagSet } from './tree/names.ts'
import { endOf, type Node, root, type Tree } from './tree/tree.ts'

const unread = tagSet('head noscript script select style svg template textarea title')

/** For every node, and for the end of the page: how many characters of readable text stand before it. */
export function textBefore(tree: Tree): Int32Array {
  const before = new Int32Array(tree.count + 1)
  let length = 0
  for (let node = 0; node < tree.count; node += 1) {
    before[node] = length
    const name = tree.tags[node] ?? 0
    if (name === 0 && node !== root) length += trimmedLength(tree, node)
    else if (unread[name] === 1) {
      const end = endOf(tree, node)
      before.fill(length, node, end)
      node = end - 1
    }
  }
  before[tree.count] = length
  return before
}

/** The length of a text without the white space around it; nothing is copied for it. */
function trimmedLength(tree: Tree, node: Node): number {
  let start = tree.starts[node] ?? 0
  if (start < 0) return (tree.decoded[-1 - start] ?? '').trim().length
  let stop = tree.stops[node] ?? 0
  while (start < stop && isSpace(tree.codes[start] ?? 0)) start += 1
  while (stop > start && isSpace(tree.codes[stop - 1] ?? 0)) stop -= 1
  return stop - start
}

/** White space of ASCII, and the no-break space, which pages use as filling. */
const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 160
