import { readTokens } from './read-tokens.ts'
import type { Tree } from './tree.ts'
import { createTreeWriter, type TreeLimits } from './tree-writer.ts'

export interface TreeOptions extends TreeLimits {
  /** In XHTML every tag may close itself; in HTML a slash at its end means nothing. */
  isXhtml: boolean
}

/** Deep enough for any page made for people; browsers stop at the same depth. */
const usualOptions: TreeOptions = { maxDepth: 512, maxNodes: 1_000_000, isXhtml: false }

/** HTML as a tree, without comments. */
export function parseHtml(html: string, options: Partial<TreeOptions> = {}): Tree {
  const clean = /[\r\0]/.test(html) ? html.replace(/\r\n?/g, '\n').replaceAll('\0', '') : html
  const { isXhtml, ...limits } = { ...usualOptions, ...options }
  const writer = createTreeWriter(clean, limits)
  readTokens(writer, isXhtml)
  return writer.tree
}
