import type { PageError } from '../../../client/src/types.ts'
import type { PageRow } from './page-stream.ts'

/** Host or path segment, with the pages below it. */
export interface TreeNode {
  name: string
  /** Path of the node in the tree, used as a key. */
  path: string
  /** Number of pages here and below, including failed ones. */
  count: number
  failed: number
  page?: PageRow
  error?: PageError
  children: Map<string, TreeNode>
}

/** Builds a tree of the pages by URL path, with one root child per host. */
export function buildTree(rows: readonly PageRow[], errors: readonly PageError[]): TreeNode {
  const root = createNode('', '')
  for (const row of rows) addUrl(root, row.url, 0).page ??= row
  for (const error of errors) addUrl(root, error.url, 1).error ??= error
  return root
}

/** Adds a URL to the counts of its node and all ancestors. Creates missing nodes. Returns the node of the URL. */
function addUrl(root: TreeNode, url: string, failed: number): TreeNode {
  let node = root
  for (const segment of ['', ...toSegments(url)]) {
    if (segment !== '') node = getOrCreateChild(node, segment)
    node.count++
    node.failed += failed
  }
  return node
}

function getOrCreateChild(node: TreeNode, segment: string): TreeNode {
  const existing = node.children.get(segment)
  if (existing) return existing
  const child = createNode(segment, `${node.path}/${segment}`)
  node.children.set(segment, child)
  return child
}

/** Sorts folders before pages, and each by name. Numbers are compared by value. */
export function sortChildren({ children }: TreeNode): TreeNode[] {
  const folderRank = ({ children: { size } }: TreeNode) => (size > 0 ? 0 : 1)
  return [...children.values()].sort(
    (left, right) => folderRank(left) - folderRank(right) || nameCollator.compare(left.name, right.name),
  )
}

const nameCollator = new Intl.Collator('en', { numeric: true })

function createNode(name: string, path: string): TreeNode {
  return { name, path, count: 0, failed: 0, children: new Map() }
}

function toSegments(url: string): string[] {
  try {
    const { host, pathname, search } = new URL(url)
    const segments = pathname.split('/').filter((segment) => segment !== '')
    if (search === '') return [host, ...segments]
    return [host, ...segments.slice(0, -1), (segments.at(-1) ?? '') + search]
  } catch {
    return [url]
  }
}
