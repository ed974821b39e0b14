import { type Node, none, root } from '../tree/tree.ts'
import { type Choice, change } from './block-selection.ts'
import { blocksIn, sumsBefore } from './blocks.ts'
import { type Elements, region, regionAround } from './elements.ts'
import type { Generator } from './generator-parts.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

/** What is likely content stands in the container, but for a byline or a caption that stands elsewhere. */
const shareInside = 0.95
const likely = 0.5

/** The innermost element that contains nearly all likely content; `none` if there is none. */
export function clearContainer(
  { tree, blocks }: Evidence,
  probabilities: Float32Array,
  least = likely,
): Node {
  const likelyBefore = sumsBefore(blocks.count, (block) =>
    (probabilities[block] ?? 0) >= least ? (blocks.words[block] ?? 0) : 0,
  )
  const needed = (likelyBefore[blocks.count] ?? 0) * shareInside
  if (needed === 0) return none
  let container = root
  let end = tree.count
  for (let child = container + 1; child < end; ) {
    const childEnd = tree.ends[child] ?? end
    if (tree.tags[child] === 0 || sumIn(tree, blocks, likelyBefore, child) < needed) child = childEnd
    else {
      container = child
      end = childEnd
      child += 1
    }
  }
  return container
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
const minInside = 0.12

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
  const [from, to] = blocksIn(tree, blocks, container)
  for (let block = from; block < to; block += 1) {
    const isLikely =
      (probabilities[block] ?? 0) >= minInside &&
      !isBeside(elements, elementOfBlock(blocks, block), container)
    if (keepsAll || isLikely) change(choice, block, true, 'inside the container')
  }
}

const besideText = [region.nav, region.footer, region.form]

/** Whether it stands in a menu, a footer or a form of the container. */
function isBeside({ regions }: Elements, holder: Node, container: Node): boolean {
  return besideText.some((kind) => regionAround(regions, holder, kind) > container)
}

/** Thresholds that identify a reference page. Boards also write their rows as terms. */
const minPermalinks = 3
const muchCode = 0.15
const muchOfTerms = 0.3
const documentation = 3

/** Whether the page is one of documentation: of such a page everything in its container is wanted. */
export function isReference({ page }: Evidence, container: Node, generators: Generator[]): boolean {
  if (container === none || page.isArticle || page.isForum) return false
  return (
    page.isGenerated ||
    generators.some((generator) => generator.isReference) ||
    page.permalinks >= minPermalinks ||
    page.inCode >= muchCode ||
    page.inTerms >= muchOfTerms ||
    page.address.kind === documentation
  )
}

/** Of such a block the model is sure. */
const sure = 0.8
/** The amount of certain content that makes a text, and its share of all likely content that makes it the main text. */
const fewestWords = 50
const minShare = 0.35
const minOutside = 0.5

/**
 * Beside a text that stands whole in one element, headlines and teasers are often half likely, and there are many. What
 * stands outside of that element is kept only where it is more likely than not. The line below the title is part of the text.
 */
export function removeOutsideContainer(
  choice: Choice,
  evidence: Evidence,
  probabilities: Float32Array,
): void {
  const { tree, blocks, page } = evidence
  const container = clearContainer(evidence, probabilities, sure)
  if (container === none || !isTextOfPage(evidence, probabilities)) return
  const [from, to] = blocksIn(tree, blocks, container)
  const hasTitleBefore = page.titleBlock !== none && page.titleBlock < from
  for (let block = 0; block < blocks.count; block += 1) {
    if (block === from) block = to
    if ((probabilities[block] ?? 1) >= minOutside || block === page.titleBlock) continue
    const isBetween = hasTitleBefore && block > page.titleBlock && block < from
    const isSubtitle = isBetween && isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0)
    if (!isSubtitle) change(choice, block, false, 'outside the container')
  }
}

function isTextOfPage({ blocks }: Evidence, probabilities: Float32Array): boolean {
  let [likelyWords, sureWords] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    const probability = probabilities[block] ?? 0
    const words = blocks.words[block] ?? 0
    likelyWords += probability * words
    if (probability >= sure) sureWords += words
  }
  return sureWords >= fewestWords && sureWords >= likelyWords * minShare
}
