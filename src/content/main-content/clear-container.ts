import { type Node, none, root, type Tree } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'
import { type Choice, change } from './choice.ts'
import type { Elements } from './elements.ts'
import { type Evidence, holderOf } from './evidence.ts'
import type { Generator } from './generator-parts.ts'
import { region, regionAround } from './regions.ts'

/** What is likely content stands in the container, but for a byline or a caption that stands elsewhere. */
const shareInside = 0.95
const likely = 0.5

/** The innermost element that contains nearly all likely content; `none` if there is none. */
export function clearContainer(
  { tree, blocks }: Evidence,
  probabilities: Float32Array,
  least = likely,
): Node {
  const likelyBefore = new Float64Array(blocks.count + 1)
  for (let block = 0; block < blocks.count; block += 1) {
    const words = (probabilities[block] ?? 0) >= least ? (blocks.words[block] ?? 0) : 0
    likelyBefore[block + 1] = (likelyBefore[block] ?? 0) + words
  }
  const needed = (likelyBefore[blocks.count] ?? 0) * shareInside
  if (needed === 0) return none
  let node = root
  for (let next: Node = root; next !== none; ) {
    node = next
    next = childWith(
      tree,
      blocks,
      node,
      (from, to) => (likelyBefore[to] ?? 0) - (likelyBefore[from] ?? 0) >= needed,
    )
  }
  return node
}

function childWith(
  tree: Tree,
  blocks: Blocks,
  parent: Node,
  isEnough: (from: number, to: number) => boolean,
): Node {
  const end = tree.ends[parent] ?? tree.count
  for (let child = parent + 1; child < end; child = tree.ends[child] ?? end) {
    if (tree.tags[child] === 0) continue
    if (isEnough(blocks.before[child] ?? 0, blocks.before[tree.ends[child] ?? 0] ?? 0)) return child
  }
  return none
}

/** The article or main part that the page itself puts around it, or it alone: of a page of one paragraph that is all there is. */
export function landmarkAround({ elements }: Evidence, container: Node): Node {
  if (container === none) return none
  const around = (kind: number) => regionAround(elements.regions, container, kind)
  const article = around(region.article)
  const landmark = article === none ? around(region.main) : article
  return landmark === none ? container : landmark
}

/** Inside the container of a reference page, a block below this probability is certainly not content. */
const leastInside = 0.12

interface Inside {
  container: Node
  probabilities: Float32Array
  /** Whatever it is. */
  keepsAll: boolean
}

/** Keeps everything in the container, except menus, footers and blocks that are certainly not content. */
export function keepInside(
  choice: Choice,
  { tree, blocks, elements }: Evidence,
  { container, probabilities, keepsAll }: Inside,
): void {
  if (container === none) return
  const from = blocks.before[container] ?? 0
  const to = blocks.before[tree.ends[container] ?? 0] ?? 0
  for (let block = from; block < to; block += 1) {
    const isLikely =
      (probabilities[block] ?? 0) >= leastInside && !isBeside(elements, holderOf(blocks, block), container)
    if (keepsAll || isLikely) change(choice, block, true, 'inside the container')
  }
}

const besideText = [region.nav, region.footer, region.form]

/** Whether it stands in a menu, a footer or a form of the container. */
function isBeside({ regions }: Elements, holder: Node, container: Node): boolean {
  return besideText.some((kind) => regionAround(regions, holder, kind) > container)
}

/** Thresholds that identify a reference page. Boards also write their rows as terms. */
const fewestPermalinks = 3
const muchCode = 0.15
const muchOfTerms = 0.3
const documentation = 3

/** Whether the page is one of documentation: of such a page everything in its container is wanted. */
export function isReference({ page }: Evidence, container: Node, generators: Generator[]): boolean {
  if (container === none || page.isArticle || page.isForum) return false
  return (
    page.isGenerated ||
    generators.some((generator) => generator.isReference) ||
    page.permalinks >= fewestPermalinks ||
    page.inCode >= muchCode ||
    page.inTerms >= muchOfTerms ||
    page.address.kind === documentation
  )
}
