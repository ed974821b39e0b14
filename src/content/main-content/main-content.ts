import { tagSet } from '../tree/names.ts'
import { type Node, none } from '../tree/tree.ts'
import { type Choice, change, firstChoice } from './choice.ts'
import { chooseThreshold, keptBlocks } from './choose.ts'
import { clearContainer, isReference, keepInside, landmarkAround } from './clear-container.ts'
import { decideParts } from './decide-parts.ts'
import { type Evidence, holderOf, type PageSource, readEvidence } from './evidence.ts'
import { eachRow } from './features.ts'
import { probability } from './forest.ts'
import { generatorParts, generatorsOf, noParts } from './generator-parts.ts'
import { applyGuards } from './guards.ts'
import type { MainContentMode } from './mode.ts'
import { model } from './model.ts'
import { dropOutside } from './outside-container.ts'
import { dropNavigation, navigationBars } from './page-navigation.ts'
import { prune } from './prune.ts'
import { keepRecordLines } from './record-lines.ts'
import { findRequests } from './requests.ts'
import { isOfSite, noteBlocks, type SiteBlocks } from './site-blocks.ts'
import { skipDropped } from './skip-dropped.ts'
import { findTitle, keepTitleOnce } from './title.ts'

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
const fewestWordsWhenBare = 150

export function decide(source: PageSource, mode: MainContentMode = 'balanced'): Decision {
  const evidence = readEvidence(source, model)
  const { tree, blocks } = evidence
  const probabilities = new Float32Array(blocks.count)
  eachRow(evidence, (block, row) => {
    probabilities[block] = probability(model.forest, row)
  })
  const generators = generatorsOf(tree)
  const isSearched = mode !== 'container'
  const ofGenerator = isSearched ? generatorParts(evidence, generators) : noParts
  const requests = isSearched ? findRequests(evidence, probabilities) : []
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
  dropOutside(choice, evidence, probabilities)
  if (isWhole) keepInside(choice, evidence, { container, probabilities, keepsAll: mode === 'container' })
  applyGuards(choice, evidence, probabilities)
  keepRecordLines(choice, evidence, probabilities)
  if (mode === 'balanced')
    decideParts(choice, evidence, ofGenerator.kept, { isKept: true, reason: 'named as content' })
  decideParts(choice, evidence, ofGenerator.parts, { isKept: false, reason: 'named as furniture' })
  decideParts(choice, evidence, requests, { isKept: false, reason: 'a request to the visitor' })
  if (isWhole && isSearched) dropNavigation(choice, evidence, source.url)
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
  const fewest = page.surroundings === 0 ? fewestWordsWhenBare : fewestWords
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
    const isShared = sharedTags[tree.tags[holderOf(blocks, block)] ?? 0] === 1
    if (isShared || !isOfSite(site, blocks.hashes[block] ?? 0)) continue
    ofSite += blocks.words[block] ?? 0
    found.push(block)
  }
  noteBlocks(site, blocks)
  if (ofSite > kept / 2) return
  for (const block of found) change(choice, block, false, 'on most pages of the site')
}

const sharedTags = tagSet('caption code dd dt figcaption h1 h2 h3 h4 h5 h6 pre summary td th')
