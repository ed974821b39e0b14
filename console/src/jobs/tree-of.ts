import type { PageError } from '../../../client/src/types.ts'
import type { PageRow } from './page-stream.ts'

/** One part of a path, with what stands below it. */
export interface TreeNode {
  name: string
  /** Its place, as a key. */
  path: string
  /** Pages here and below, failed ones among them. */
  count: number
  failed: number
  page?: PageRow
  error?: PageError
  children: Map<string, TreeNode>
}

/** The pages of a site by the parts of their addresses, one root per host. */
export function treeOf(rows: readonly PageRow[], errors: readonly PageError[]): TreeNode {
  const root = newNode('', '')
  for (const row of rows) placeOf(root, row.url, 0).page ??= row
  for (const error of errors) placeOf(root, error.url, 1).error ??= error
  return root
}

/** The node of an address, which is counted all the way down to it. */
function placeOf(root: TreeNode, address: string, failed: number): TreeNode {
  let node = root
  for (const part of ['', ...partsOf(address)]) {
    if (part !== '') node = childOf(node, part)
    node.count++
    node.failed += failed
  }
  return node
}

function childOf(node: TreeNode, part: string): TreeNode {
  const known = node.children.get(part)
  if (known) return known
  const child = newNode(part, `${node.path}/${part}`)
  node.children.set(part, child)
  return child
}

/** Folders before pages, and each by name, numbers by their size. */
export function sortedChildren({ children }: TreeNode): TreeNode[] {
  const isFolder = ({ children: { size } }: TreeNode) => (size > 0 ? 0 : 1)
  return [...children.values()].sort(
    (one, other) => isFolder(one) - isFolder(other) || byName.compare(one.name, other.name),
  )
}

const byName = new Intl.Collator('en', { numeric: true })

function newNode(name: string, path: string): TreeNode {
  return { name, path, count: 0, failed: 0, children: new Map() }
}

function partsOf(address: string): string[] {
  try {
    const { host, pathname, search } = new URL(address)
    const parts = pathname.split('/').filter((part) => part !== '')
    if (search === '') return [host, ...parts]
    return [host, ...parts.slice(0, -1), (parts.at(-1) ?? '') + search]
  } catch {
    return [address]
  }
}
