import { tag, tagSet } from '../tree/names.ts'
import { classOf, type Node, none, root, type Tree } from '../tree/tree.ts'
import { type Choice, change, firstChoice, type MainContentMode, type Reason } from './block-selection.ts'
import { type Blocks, blocksIn, sumsBefore } from './blocks.ts'
import { chooseThreshold, keptBlocks } from './choose.ts'
import { findConsentAndSignupBoxes } from './consent-and-signup.ts'
import {
  clearContainer,
  isReference,
  keepInside,
  landmarkAround,
  removeOutsideContainer,
} from './content-container.ts'
import { eachRow } from './features.ts'
import { findGenerators, generatorParts, noParts } from './generator-parts.ts'
import { model, probability } from './model.ts'
import {
  type Evidence,
  elementOfBlock,
  type PageSource,
  readEvidence,
  widerElement,
} from './page-analysis.ts'
import { isHeading } from './page-facts.ts'
import { navigationBars, removeNavigation } from './page-navigation.ts'
import { keepRecordLines } from './record-lines.ts'
import { prune } from './short-page-fallback.ts'
import { isOfSite, recordBlocks, type SiteBlocks } from './site-blocks.ts'
import { findTitle, keepTitleOnce } from './title.ts'
import { keepWholeTables } from './whole-tables.ts'

/** Restores what a reader would miss, because the model does not see the whole page. Each guard changes the choice in place. */
export function applyGuards(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  keepWholeTables(choice, evidence)
  keepBetween(choice, evidence, probabilities)
  keepHeadings(choice, evidence, probabilities)
  keepTerms(choice, evidence)
  keepTitle(choice, evidence, probabilities)
}

const structured = tagSet('dd dt h1 h2 h3 h4 h5 h6 li pre td th')

/** An item, a listing or a heading with kept text on both sides; between paragraphs stand promotions too. */
function keepBetween(choice: Choice, { tree, blocks }: Evidence, probabilities: Float32Array): void {
  for (let block = 1; block < blocks.count - 1; block += 1) {
    if (choice.kept[block] === 1 || choice.kept[block - 1] !== 1 || (probabilities[block] ?? 0) < 0.2)
      continue
    const isFollowed = choice.kept[block + 1] === 1 || choice.kept[block + 2] === 1
    const name = tree.tags[elementOfBlock(blocks, block)] ?? 0
    if (isFollowed && structured[name] === 1) change(choice, block, true, 'between kept parts')
  }
}

function keepHeadings(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks, elements } = evidence
  for (let block = blocks.count - 2; block >= 0; block -= 1) {
    const holder = elementOfBlock(blocks, block)
    if (!isHeading(tree.tags[holder] ?? 0) || (probabilities[block] ?? 0) < 0.1) continue
    const next = elementOfBlock(blocks, block + 1)
    const isTogether = widerElement(elements, holder) === widerElement(elements, next)
    if (isTogether && choice.kept[block + 1] === 1) change(choice, block, true, 'heading of a kept part')
  }
}

/** A definition without its terms, or an answer without its question, says nothing. */
function keepTerms(choice: Choice, { tree, blocks }: Evidence): void {
  const before = (node: Node) => blocks.before[node] ?? 0
  // From the last, so that of several terms of one definition each finds the next one kept.
  for (let term = tree.count - 1; term > 0; term -= 1) {
    if (tree.tags[term] !== tag.dt) continue
    let next = tree.ends[term] ?? tree.count
    while (tree.tags[next] === 0 && next < tree.count) next += 1
    const isPart = tree.tags[next] === tag.dd || tree.tags[next] === tag.dt
    if (!isPart || tree.parents[next] !== tree.parents[term]) continue
    const isDefined = choice.kept.subarray(before(next), before(tree.ends[next] ?? 0)).includes(1)
    if (!isDefined) continue
    for (let block = before(term); block < before(tree.ends[term] ?? 0); block += 1) {
      change(choice, block, true, 'term of a definition')
    }
  }
}

const minOfTitle = 0.3

/** Nobody should have to guess what a text is about; a heading that is surely another's does not tell it. */
function keepTitle(choice: Choice, { page, blocks }: Evidence, probabilities: Float32Array): void {
  const { titleBlock } = page
  if (titleBlock === none || (probabilities[titleBlock] ?? 0) < minOfTitle) return
  const hash = blocks.hashes[titleBlock]
  for (let block = 0; block < blocks.count; block += 1) {
    if (choice.kept[block] === 1 && blocks.hashes[block] === hash) return
  }
  change(choice, titleBlock, true, 'title')
}

/**
 * The nodes that go with the blocks that are left out: whole elements where nothing in them is kept, else the
 * texts themselves. What holds no text, as an image, stays where the text beside it stays.
 */
export function skipDropped(tree: Tree, blocks: Blocks, kept: Uint8Array): Uint8Array {
  const skipped = new Uint8Array(tree.count)
  const keptBefore = sumsBefore(blocks.count, (block) => kept[block] ?? 0)
  for (let node = 1; node < tree.count; node += 1) {
    const end = tree.ends[node] ?? 0
    const from = blocks.before[node] ?? 0
    const to = blocks.before[end] ?? 0
    if (tree.tags[node] === 0) skipped[node] = isKeptText(blocks, kept, node) ? 0 : 1
    else if (from < to) skipped[node] = keptBefore[from] === keptBefore[to] ? 1 : 0
    else if (isInKept(blocks, kept, node)) continue
    else skipped[node] = isBesideKept(tree, blocks, kept, node) && !isLabelledStep(tree, node) ? 0 : 1
    if (skipped[node] === 1) node = end - 1
  }
  return skipped
}

/** A text belongs to the block that began last, unless that has ended; then it is blank and does no harm. */
function isKeptText(blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const block = (blocks.before[node + 1] ?? 0) - 1
  return block < 0 || (blocks.lasts[block] ?? 0) <= node || kept[block] === 1
}

/** Everything between the first and the last text of a block is part of it, at any depth. */
function isInKept(blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const block = (blocks.before[node] ?? 0) - 1
  return block >= 0 && (blocks.lasts[block] ?? 0) > node && kept[block] === 1
}

/** Site builders put a picture into wrappers of its own, one for each of their grids; the text beside it stands further up. */
const levelsAround = 12

/** Whether the text before or behind an element without text is kept and stands in the same element. */
function isBesideKept(tree: Tree, blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const next = blocks.before[node] ?? 0
  let parent = tree.parents[node] ?? root
  for (let level = 0; level < levelsAround; level += 1) {
    const [from, to] = blocksIn(tree, blocks, parent)
    if (from < to) {
      return (next - 1 >= from && kept[next - 1] === 1) || (next < to && kept[next] === 1)
    }
    parent = tree.parents[parent] ?? root
  }
  return false
}

const stepNames = /(?:^|[\s_-])(?:prev(?:ious)?|next)(?:$|[\s_-])/i

/** A link to the page before or the next one that shows a sign and says in a label where it leads. */
function isLabelledStep(tree: Tree, node: Node): boolean {
  return tree.tags[node] === tag.a && stepNames.test(classOf(tree, node) ?? '')
}

export interface MainContent {
  /** 1 for each node that is left out with all below it. Something is kept of every page that has text. */
  skipped: Uint8Array
  /** The heading that names the page, wherever it stands, or `none`. */
  title: Node
  /** How it was found. */
  decision: Decision
}

/** Leaves out all that is not the main content of a page. */
export function mainContent(source: PageSource, mode: MainContentMode = 'balanced'): MainContent {
  const decision = decide(source, mode)
  return leaveOut(source, decision, { kept: decision.choice.kept, hasTitle: true })
}

/** The page without all that is not kept. */
export function leaveOut(
  source: PageSource,
  decision: Decision,
  { kept, hasTitle }: { kept: Uint8Array; hasTitle: boolean },
): MainContent {
  const { tree } = source
  const { road, evidence, leftOut } = decision
  const skipped = road === 'pruned' ? prune(tree) : skipDropped(tree, evidence.blocks, kept)
  for (const part of leftOut) skipped[part] = 1
  const title = hasTitle ? findTitle(source, evidence, skipped) : none
  if (title !== none) keepTitleOnce(evidence, title, skipped)
  return { skipped, title, decision }
}

/** How the main content of a page was found. */
export interface Decision {
  /**
   * The container: all that stands in it but what is surely not content. The model: what is likely, wherever it stands.
   * Pruned: all but what is surely not content, where there is too little to judge.
   */
  road: 'container' | 'model' | 'pruned'
  evidence: Evidence
  probabilities: Float32Array
  threshold: number
  /** The expected balance of precision and recall, if the probabilities are correct. */
  balance: number
  /** The innermost element that contains the likely content. */
  container: Node
  choice: Choice
  /** Parts that go whole, with the pictures in them: what asks the visitor for something, bars of navigation. */
  leftOut: Node[]
}

/** The model has seen pages with menus and footers; of a few lines, or of a text without any, it knows nothing. */
const fewestWords = 60
const minWordsWhenBare = 150

export function decide(source: PageSource, mode: MainContentMode = 'balanced'): Decision {
  const learned = model()
  const evidence = readEvidence(source, learned)
  const { tree, blocks } = evidence
  const probabilities = new Float32Array(blocks.count)
  eachRow(evidence, (block, row) => {
    probabilities[block] = probability(learned.forest, row)
  })
  const generators = findGenerators(tree)
  const isSearched = mode !== 'container'
  const ofGenerator = isSearched ? generatorParts(evidence, generators) : noParts
  const requests = isSearched ? findConsentAndSignupBoxes(evidence, probabilities) : []
  const notContent = [...requests, ...ofGenerator.parts]
  for (const part of notContent) {
    probabilities.fill(0, blocks.before[part], blocks.before[tree.ends[part] ?? 0])
  }
  const likely = clearContainer(evidence, probabilities)
  const container = mode === 'container' ? landmarkAround(evidence, likely) : likely
  const isWhole =
    mode === 'container' || (mode === 'balanced' && isReference(evidence, container, generators))
  const { threshold, balance } = chooseThreshold(evidence, probabilities)
  const choice = firstChoice(keptBlocks(evidence, probabilities, threshold, mode))
  removeOutsideContainer(choice, evidence, probabilities)
  if (isWhole) keepInside(choice, evidence, { container, probabilities, keepsAll: mode === 'container' })
  applyGuards(choice, evidence, probabilities)
  keepRecordLines(choice, evidence, probabilities)
  if (mode === 'balanced')
    decideParts(choice, evidence, ofGenerator.kept, { isKept: true, reason: 'named as content' })
  decideParts(choice, evidence, ofGenerator.parts, { isKept: false, reason: 'named as furniture' })
  decideParts(choice, evidence, requests, { isKept: false, reason: 'a request to the visitor' })
  if (isWhole && isSearched) removeNavigation(choice, evidence, source.url)
  const bars = isWhole && isSearched ? navigationBars(evidence) : []
  if (source.site) dropTextsOfSite(choice, evidence, source.site)
  const road = isTooLittle(evidence, choice, isWhole) ? 'pruned' : isWhole ? 'container' : 'model'
  return {
    road,
    evidence,
    probabilities,
    threshold,
    balance,
    container,
    choice,
    leftOut: [...notContent, ...bars, ...ofGenerator.inLines],
  }
}

/** Of a page of reference the container is known, however little it says. */
function isTooLittle({ blocks, page }: Evidence, choice: Choice, isWhole: boolean): boolean {
  let words = 0
  for (let block = 0; block < blocks.count; block += 1)
    words += (choice.kept[block] ?? 0) * (blocks.words[block] ?? 0)
  const fewest = page.surroundings === 0 ? minWordsWhenBare : fewestWords
  return (page.words < fewest && !isWhole) || words < Math.min(20, page.words * 0.1)
}

/**
 * Where the caller of a crawl asks for it, what stands on most of its pages is left out, unless it is most of what is left of
 * this one. Pages of one kind share headings, terms, columns and code, so these stay.
 */
function dropTextsOfSite(choice: Choice, { tree, blocks }: Evidence, site: SiteBlocks): void {
  const found: number[] = []
  let [kept, ofSite] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    if (choice.kept[block] !== 1) continue
    kept += blocks.words[block] ?? 0
    const isShared = sharedTags[tree.tags[elementOfBlock(blocks, block)] ?? 0] === 1
    if (isShared || !isOfSite(site, blocks.hashes[block] ?? 0)) continue
    ofSite += blocks.words[block] ?? 0
    found.push(block)
  }
  recordBlocks(site, blocks)
  if (ofSite > kept / 2) return
  for (const block of found) change(choice, block, false, 'on most pages of the site')
}

const sharedTags = tagSet('caption code dd dt figcaption h1 h2 h3 h4 h5 h6 pre summary td th')

/** Keeps all that stands in these parts, or leaves it out, whatever was chosen before. */
function decideParts(
  choice: Choice,
  { tree, blocks }: Evidence,
  parts: Node[],
  { isKept, reason }: { isKept: boolean; reason: Reason },
): void {
  for (const part of parts) {
    const [from, to] = blocksIn(tree, blocks, part)
    for (let block = from; block < to; block += 1) {
      choice.kept[block] = Number(isKept)
      choice.reasons[block] = reason
    }
  }
}
