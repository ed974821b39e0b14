import { findChild, type Node, none, root } from '../tree/tree.ts'
import { type Choice, setKept } from './block-selection.ts'
import { computePrefixSums, getBlockRange } from './blocks.ts'
import { region, regionAround } from './elements.ts'
import type { Generator } from './generator-parts.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

/** Share of probable content that the container must hold, because a byline or a caption may be elsewhere. */
const minShareInside = 0.95
const likelyProbability = 0.5

export function findContainer(
  { tree, blocks }: Evidence,
  probabilities: Float32Array,
  minProbability = likelyProbability,
): Node {
  const likelyBefore = computePrefixSums(blocks.count, (block) =>
    (probabilities[block] ?? 0) >= minProbability ? (blocks.words[block] ?? 0) : 0,
  )
  const requiredWords = (likelyBefore[blocks.count] ?? 0) * minShareInside
  if (requiredWords === 0) return none
  const hasRequired = (node: Node) =>
    tree.tags[node] !== 0 && sumIn(tree, blocks, likelyBefore, node) >= requiredWords
  let container = root
  for (let child: Node = root; child !== none; child = findChild(tree, child, hasRequired)) container = child
  return container
}

export function findLandmark({ elements }: Evidence, container: Node): Node {
  if (container === none) return none
  const getRegion = (kind: number) => regionAround(elements.regions, container, kind)
  const article = getRegion(region.article)
  const landmark = article === none ? getRegion(region.main) : article
  return landmark === none ? container : landmark
}

/** Minimum probability inside the container of a reference page; blocks below it are certainly not content. */
const minProbabilityInside = 0.12

export function keepInside(
  choice: Choice,
  { tree, blocks, elements }: Evidence,
  { container, probabilities, keepsAll }: { container: Node; probabilities: Float32Array; keepsAll: boolean },
): void {
  if (container === none) return
  const [from, to] = getBlockRange(tree, blocks, container)
  for (let block = from; block < to; block += 1) {
    const isLikely =
      (probabilities[block] ?? 0) >= minProbabilityInside &&
      !secondaryRegions.some(
        (kind) => regionAround(elements.regions, elementOfBlock(blocks, block), kind) > container,
      )
    if (keepsAll || isLikely) setKept(choice, block, true, 'inside the container')
  }
}

const secondaryRegions = [region.nav, region.footer, region.form]

/** Thresholds that identify a reference page. Forums also write their rows as definition terms. */
const minPermalinks = 3
const minCodeShare = 0.15
const minTermShare = 0.3
const documentationKind = 3

export function isReference({ page }: Evidence, container: Node, generators: Generator[]): boolean {
  if (container === none || page.isArticle || page.isForum) return false
  return (
    page.isGenerated ||
    generators.some((generator) => generator.isReference) ||
    page.permalinks >= minPermalinks ||
    page.inCode >= minCodeShare ||
    page.inTerms >= minTermShare ||
    page.url.kind === documentationKind
  )
}

const certainProbability = 0.8
const minWords = 50
const minShare = 0.35
const minProbabilityOutside = 0.5

/** Such blocks are often headlines and teasers of medium probability. A subtitle below the title is text. */
export function removeOutsideContainer(
  choice: Choice,
  evidence: Evidence,
  probabilities: Float32Array,
): void {
  const { tree, blocks, page } = evidence
  const container = findContainer(evidence, probabilities, certainProbability)
  if (container === none || !hasMainText(evidence, probabilities)) return
  const [from, to] = getBlockRange(tree, blocks, container)
  const hasTitleBefore = page.titleBlock !== none && page.titleBlock < from
  for (let block = 0; block < blocks.count; block += 1) {
    if (block === from) block = to
    if ((probabilities[block] ?? 1) >= minProbabilityOutside || block === page.titleBlock) continue
    const isBelowTitle = hasTitleBefore && block > page.titleBlock && block < from
    const isSubtitle = isBelowTitle && isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0)
    if (!isSubtitle) setKept(choice, block, false, 'outside the container')
  }
}

function hasMainText({ blocks }: Evidence, probabilities: Float32Array): boolean {
  let [likelyWords, certainWords] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    const probability = probabilities[block] ?? 0
    const words = blocks.words[block] ?? 0
    likelyWords += probability * words
    if (probability >= certainProbability) certainWords += words
  }
  return certainWords >= minWords && certainWords >= likelyWords * minShare
}
