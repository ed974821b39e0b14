import { type Node, none } from '../tree/tree.ts'
import { chooseThreshold, keptBlocks } from './choose.ts'
import { type Evidence, type PageSource, readEvidence } from './evidence.ts'
import { eachRow } from './features.ts'
import { probability } from './forest.ts'
import { applyGuards, type Choice, type Reason } from './guards.ts'
import { keepRecords } from './keep-records.ts'
import { model } from './model.ts'
import { prune } from './prune.ts'
import { dropRequests, findRequests } from './requests.ts'
import { isOfSite, noteBlocks, type SiteBlocks } from './site-blocks.ts'
import { skipDropped } from './skip-dropped.ts'
import { findTitle, keepTitleOnce } from './title.ts'

export interface MainContent {
  /** 1 for each node that is left out with all below it. Something is kept of every page that has text. */
  skipped: Uint8Array
  /** The heading that names the page, wherever it stands, or `none`. */
  title: Node
}

/** Leaves out all that is not the main content of a page. */
export function mainContent(source: PageSource): MainContent {
  const { tree } = source
  const { way, evidence, choice, requests } = decide(source)
  const skipped = way === 'model' ? skipDropped(tree, evidence.blocks, choice.kept) : prune(tree)
  for (const request of requests) skipped[request] = 1
  const title = findTitle(source, evidence, skipped)
  if (title !== none) keepTitleOnce(evidence, title, skipped)
  return { skipped, title }
}

/** How the main content of a page was found. */
export interface Decision {
  /** The learned model, or the removal of what is surely not content, where there is too little to judge. */
  way: 'model' | 'pruned'
  evidence: Evidence
  probabilities: Float32Array
  threshold: number
  /** What should be right among what is kept and what is missed, if the probabilities are. */
  balance: number
  choice: Choice
  /** What asks the visitor for something. */
  requests: Node[]
}

/** The model has seen pages with menus and footers; of a few lines, or of a text without any, it knows nothing. */
const fewestWords = 60
const fewestWordsWhenBare = 150
const greatestWhenBare = 0.4

export function decide(source: PageSource): Decision {
  const evidence = readEvidence(source, model)
  const { tree, blocks, page } = evidence
  const probabilities = new Float32Array(blocks.count)
  eachRow(evidence, (block, row) => {
    probabilities[block] = probability(model.forest, row)
  })
  const requests = findRequests(evidence)
  for (const request of requests) {
    probabilities.fill(0, blocks.before[request], blocks.before[tree.ends[request] ?? 0])
  }
  const { threshold, balance } = chooseThreshold(blocks, probabilities)
  const needed = page.surroundings === 0 ? Math.min(threshold, greatestWhenBare) : threshold
  const choice = firstChoice(keptBlocks(evidence, probabilities, needed))
  applyGuards(choice, evidence, probabilities)
  keepRecords(choice, evidence)
  dropRequests(choice, evidence, requests)
  if (source.site) dropTextsOfSite(choice, evidence, source.site)
  let words = 0
  for (let block = 0; block < blocks.count; block += 1)
    words += (choice.kept[block] ?? 0) * (blocks.words[block] ?? 0)
  const fewest = page.surroundings === 0 ? fewestWordsWhenBare : fewestWords
  const isTooLittle = page.words < fewest || words < Math.min(20, page.words * 0.1)
  return {
    way: isTooLittle ? 'pruned' : 'model',
    evidence,
    probabilities,
    threshold: needed,
    balance,
    choice,
    requests,
  }
}

function firstChoice(kept: Uint8Array): Choice {
  const reasons = new Array<Reason>(kept.length).fill('improbable')
  for (let block = 0; block < kept.length; block += 1) if (kept[block] === 1) reasons[block] = 'probable'
  return { kept, reasons }
}

/** In a crawl, what stands on most pages is left out, unless it is most of what is left of this one. */
function dropTextsOfSite(choice: Choice, { blocks, page }: Evidence, site: SiteBlocks): void {
  const found: number[] = []
  let [kept, ofSite] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    if (choice.kept[block] !== 1) continue
    kept += blocks.words[block] ?? 0
    if (block === page.titleBlock || !isOfSite(site, blocks.hashes[block] ?? 0)) continue
    ofSite += blocks.words[block] ?? 0
    found.push(block)
  }
  noteBlocks(site, blocks)
  if (ofSite > kept / 2) return
  for (const block of found) {
    choice.kept[block] = 0
    choice.reasons[block] = 'on most pages of the site'
  }
}
