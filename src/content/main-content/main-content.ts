import { tag, tagSet } from '../tree/names.ts'
import { classOf, type Node, none, root, type Tree } from '../tree/tree.ts'
import { type Choice, createChoice, type MainContentMode, type Reason, setKept } from './block-selection.ts'
import { type Blocks, computePrefixSums, countKeptWords, getBlockRange } from './blocks.ts'
import { chooseThreshold, selectBlocks } from './choose.ts'
import { findConsentAndSignupBoxes } from './consent-and-signup.ts'
import {
  findContainer,
  findLandmark,
  isReference,
  keepInside,
  removeOutsideContainer,
} from './content-container.ts'
import { forEachFeatureRow } from './features.ts'
import { findGeneratorParts, findGenerators, noParts } from './generator-parts.ts'
import { model, probability } from './model.ts'
import {
  type Evidence,
  elementOfBlock,
  type PageSource,
  readEvidence,
  widerElement,
} from './page-analysis.ts'
import { isHeading } from './page-facts.ts'
import { findNavigationBars, removeNavigation } from './page-navigation.ts'
import { keepRecordLines } from './record-lines.ts'
import { prune } from './short-page-fallback.ts'
import { isSiteText, recordBlocks, type SiteBlocks } from './site-blocks.ts'
import { findTitle, keepTitleOnce } from './title.ts'
import { keepWholeTables } from './whole-tables.ts'

/** Restores blocks that a reader would miss, because the model does not see the complete page. */
export function applyGuards(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  keepWholeTables(choice, evidence)
  keepBetween(choice, evidence, probabilities)
  keepHeadings(choice, evidence, probabilities)
  keepTerms(choice, evidence)
  keepTitle(choice, evidence, probabilities)
}

const structured = tagSet('dd dt h1 h2 h3 h4 h5 h6 li pre td th')

/** Keeps no paragraphs, because promotions also appear between paragraphs. */
function keepBetween(choice: Choice, { tree, blocks }: Evidence, probabilities: Float32Array): void {
  for (let block = 1; block < blocks.count - 1; block += 1) {
    if (choice.kept[block] === 1 || choice.kept[block - 1] !== 1 || (probabilities[block] ?? 0) < 0.2)
      continue
    const isFollowed = choice.kept[block + 1] === 1 || choice.kept[block + 2] === 1
    const tagId = tree.tags[elementOfBlock(blocks, block)] ?? 0
    if (isFollowed && structured[tagId] === 1) setKept(choice, block, true, 'between kept parts')
  }
}

function keepHeadings(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks, elements } = evidence
  for (let block = blocks.count - 2; block >= 0; block -= 1) {
    const holder = elementOfBlock(blocks, block)
    if (!isHeading(tree.tags[holder] ?? 0) || (probabilities[block] ?? 0) < 0.1) continue
    const next = elementOfBlock(blocks, block + 1)
    const isSamePart = widerElement(elements, holder) === widerElement(elements, next)
    if (isSamePart && choice.kept[block + 1] === 1) setKept(choice, block, true, 'heading of a kept part')
  }
}

/** A definition without its term, or an answer without its question, has no meaning. */
function keepTerms(choice: Choice, { tree, blocks }: Evidence): void {
  // Iterates backwards, so that the next term is already kept if a definition has several terms.
  for (let term = tree.count - 1; term > 0; term -= 1) {
    if (tree.tags[term] !== tag.dt) continue
    let next = tree.ends[term] ?? tree.count
    while (tree.tags[next] === 0 && next < tree.count) next += 1
    const isPart = tree.tags[next] === tag.dd || tree.tags[next] === tag.dt
    if (!isPart || tree.parents[next] !== tree.parents[term]) continue
    if (!choice.kept.subarray(...getBlockRange(tree, blocks, next)).includes(1)) continue
    const [from, to] = getBlockRange(tree, blocks, term)
    for (let block = from; block < to; block += 1) setKept(choice, block, true, 'term of a definition')
  }
}

const minTitleProbability = 0.3

/** Readers need the topic of a text. A heading that certainly belongs to another text is not its title. */
function keepTitle(choice: Choice, { page, blocks }: Evidence, probabilities: Float32Array): void {
  const { titleBlock } = page
  if (titleBlock === none || (probabilities[titleBlock] ?? 0) < minTitleProbability) return
  const hash = blocks.hashes[titleBlock]
  if (choice.kept.some((isKept, block) => isKept === 1 && blocks.hashes[block] === hash)) return
  setKept(choice, titleBlock, true, 'title')
}

/** Marks elements in which nothing is kept, or texts. Elements without text, such as images, stay beside kept text. */
export function skipDropped(tree: Tree, blocks: Blocks, kept: Uint8Array): Uint8Array {
  const skipped = new Uint8Array(tree.count)
  const keptBefore = computePrefixSums(blocks.count, (block) => kept[block] ?? 0)
  for (let node = 1; node < tree.count; node += 1) {
    const end = tree.ends[node] ?? 0
    const from = blocks.before[node] ?? 0
    const to = blocks.before[end] ?? 0
    if (tree.tags[node] === 0) skipped[node] = isKeptText(blocks, kept, node) ? 0 : 1
    else if (from < to) skipped[node] = keptBefore[from] === keptBefore[to] ? 1 : 0
    else if (isInKept(blocks, kept, node)) continue
    else {
      // A link to the previous or next page may show only a symbol, with its target in a label.
      const isStepLink = tree.tags[node] === tag.a && stepNames.test(classOf(tree, node) ?? '')
      skipped[node] = isNextToKept(tree, blocks, kept, node) && !isStepLink ? 0 : 1
    }
    if (skipped[node] === 1) node = end - 1
  }
  return skipped
}

/** A text belongs to the block that began last; if that block has ended, the text is blank and harmless. */
function isKeptText(blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const block = (blocks.before[node + 1] ?? 0) - 1
  return block < 0 || (blocks.lasts[block] ?? 0) <= node || kept[block] === 1
}

/** Everything between the first and the last text of a block is part of it, at any depth. */
function isInKept(blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const block = (blocks.before[node] ?? 0) - 1
  return block >= 0 && (blocks.lasts[block] ?? 0) > node && kept[block] === 1
}

/** Maximum number of levels to search for adjacent text. Site builders wrap an image in several grid elements. */
const maxLevels = 12

function isNextToKept(tree: Tree, blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const next = blocks.before[node] ?? 0
  let parent = tree.parents[node] ?? root
  for (let level = 0; level < maxLevels; level += 1) {
    const [from, to] = getBlockRange(tree, blocks, parent)
    if (from < to) {
      return (next - 1 >= from && kept[next - 1] === 1) || (next < to && kept[next] === 1)
    }
    parent = tree.parents[parent] ?? root
  }
  return false
}

const stepNames = /(?:^|[\s_-])(?:prev(?:ious)?|next)(?:$|[\s_-])/i

export interface MainContent {
  /** Mask with 1 for the root of each omitted subtree. At least one text of a page with text is kept. */
  skipped: Uint8Array
  title: Node
  decision: Decision
}

export function mainContent(source: PageSource, mode: MainContentMode = 'balanced'): MainContent {
  const decision = chooseMainContent(source, mode)
  return omitBlocks(source, decision, { kept: decision.choice.kept, hasTitle: true })
}

export function omitBlocks(
  source: PageSource,
  decision: Decision,
  { kept, hasTitle }: { kept: Uint8Array; hasTitle: boolean },
): MainContent {
  const { tree } = source
  const { method, evidence, omittedParts } = decision
  const skipped = method === 'pruned' ? prune(tree) : skipDropped(tree, evidence.blocks, kept)
  for (const part of omittedParts) skipped[part] = 1
  const title = hasTitle ? findTitle(source, evidence, skipped) : none
  if (title !== none) keepTitleOnce(evidence, title, skipped)
  return { skipped, title, decision }
}

export interface Decision {
  /** Pruned: everything except certain boilerplate, if there is too little text for the model. */
  method: 'container' | 'model' | 'pruned'
  evidence: Evidence
  probabilities: Float32Array
  threshold: number
  balance: number
  container: Node
  choice: Choice
  omittedParts: Node[]
}

/** Minimum for the model, which was trained on pages with menus and footers. */
const minWords = 60
const minWordsWhenBare = 150

export function chooseMainContent(source: PageSource, mode: MainContentMode = 'balanced'): Decision {
  const weights = model()
  const evidence = readEvidence(source, weights)
  const { tree, blocks } = evidence
  const probabilities = new Float32Array(blocks.count)
  forEachFeatureRow(evidence, (block, row) => {
    probabilities[block] = probability(weights.forest, row)
  })
  const generators = findGenerators(tree)
  const removesBoilerplate = mode !== 'container'
  const namedParts = removesBoilerplate ? findGeneratorParts(evidence, generators) : noParts
  const requests = removesBoilerplate ? findConsentAndSignupBoxes(evidence, probabilities) : []
  const notContent = [...requests, ...namedParts.parts]
  for (const part of notContent) {
    probabilities.fill(0, blocks.before[part], blocks.before[tree.ends[part] ?? 0])
  }
  const likelyContainer = findContainer(evidence, probabilities)
  const container = mode === 'container' ? findLandmark(evidence, likelyContainer) : likelyContainer
  const keepsContainer =
    mode === 'container' || (mode === 'balanced' && isReference(evidence, container, generators))
  const { threshold, balance } = chooseThreshold(evidence, probabilities)
  const choice = createChoice(selectBlocks(evidence, probabilities, threshold, mode))
  removeOutsideContainer(choice, evidence, probabilities)
  if (keepsContainer)
    keepInside(choice, evidence, { container, probabilities, keepsAll: mode === 'container' })
  applyGuards(choice, evidence, probabilities)
  keepRecordLines(choice, evidence, probabilities)
  if (mode === 'balanced')
    decideParts(choice, evidence, namedParts.kept, { isKept: true, reason: 'named as content' })
  decideParts(choice, evidence, namedParts.parts, { isKept: false, reason: 'named as furniture' })
  decideParts(choice, evidence, requests, { isKept: false, reason: 'a request to the visitor' })
  if (keepsContainer && removesBoilerplate) removeNavigation(choice, evidence, source.url)
  const bars = keepsContainer && removesBoilerplate ? findNavigationBars(evidence) : []
  if (source.site) dropTextsOfSite(choice, evidence, source.site)
  const isPruned = hasTooLittleText(evidence, choice, keepsContainer)
  const method = isPruned ? 'pruned' : keepsContainer ? 'container' : 'model'
  const omittedParts = [...notContent, ...bars, ...namedParts.inLines]
  return { method, evidence, probabilities, threshold, balance, container, choice, omittedParts }
}

/** For a reference page the container is certain, however little text it has. */
function hasTooLittleText({ blocks, page }: Evidence, choice: Choice, keepsContainer: boolean): boolean {
  const words = countKeptWords(blocks, choice.kept)
  const minPageWords = page.surroundings === 0 ? minWordsWhenBare : minWords
  return (page.words < minPageWords && !keepsContainer) || words < Math.min(20, page.words * 0.1)
}

/** Text that is most of the rest stays, as do headings, terms, columns and code, which pages of one kind share. */
function dropTextsOfSite(choice: Choice, { tree, blocks }: Evidence, site: SiteBlocks): void {
  const siteTexts: number[] = []
  let [keptWords, siteWords] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    if (choice.kept[block] !== 1) continue
    keptWords += blocks.words[block] ?? 0
    const isShared = structuralTags[tree.tags[elementOfBlock(blocks, block)] ?? 0] === 1
    if (isShared || !isSiteText(site, blocks.hashes[block] ?? 0)) continue
    siteWords += blocks.words[block] ?? 0
    siteTexts.push(block)
  }
  recordBlocks(site, blocks)
  if (siteWords > keptWords / 2) return
  for (const block of siteTexts) setKept(choice, block, false, 'on most pages of the site')
}

const structuralTags = tagSet('caption code dd dt figcaption h1 h2 h3 h4 h5 h6 pre summary td th')

function decideParts(
  choice: Choice,
  { tree, blocks }: Evidence,
  parts: Node[],
  { isKept, reason }: { isKept: boolean; reason: Reason },
): void {
  for (const part of parts) {
    const [from, to] = getBlockRange(tree, blocks, part)
    for (let block = from; block < to; block += 1) {
      choice.kept[block] = Number(isKept)
      choice.reasons[block] = reason
    }
  }
}
