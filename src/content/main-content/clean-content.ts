import { tag, tagSet } from '../tree/names.ts'
import { isNamed, type Node, none, readTexts } from '../tree/tree.ts'
import type { MainContentMode, Reason } from './block-selection.ts'
import { computePrefixSums, countKeptWords, getBlockRange } from './blocks.ts'
import { chooseMainContent, type Decision, type MainContent, omitBlocks } from './main-content.ts'
import { type Evidence, elementOfBlock, type PageSource, sumIn } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'
import { isDataTable } from './whole-tables.ts'

export type CleaningRequest =
  | { mode: MainContentMode | undefined }
  | { parts: readonly Node[]; hasTitle: boolean }

/** If less than this share of the certain content remains, the model does not fit this kind of page. */
const minRemainingShare = 0.25

/** Returns undefined if the model is unreliable: for a page of a few words, or if almost nothing would remain. */
export function cleanContent(source: PageSource, request: CleaningRequest): MainContent | undefined {
  const isMain = 'mode' in request
  const decision = chooseMainContent(source, isMain ? request.mode : undefined)
  if (decision.method === 'pruned') return undefined
  const { evidence, choice } = decision
  const base = isMain ? choice.kept : getBlocks(evidence, request.parts)
  const kept = cleanBlocks(decision, base, isMain ? 'main' : 'page')
  const { blocks } = evidence
  const both = base.map((isKept, block) => isKept & (choice.kept[block] ?? 0))
  const expectedWords = countKeptWords(blocks, both) || countKeptWords(blocks, base)
  const isTooLittle = countKeptWords(blocks, kept) < expectedWords * minRemainingShare
  if (isTooLittle || !kept.includes(1)) return undefined
  return omitBlocks(source, decision, { kept, hasTitle: isMain || request.hasTitle })
}

function getBlocks({ tree, blocks }: Evidence, parts: readonly Node[]): Uint8Array {
  const kept = new Uint8Array(blocks.count)
  for (const part of parts) kept.fill(1, blocks.before[part], blocks.before[tree.ends[part] ?? none])
  return kept
}

const boilerplateNames =
  /(?:^|[\s_-])(?:shar(?:e|ing|edaddy)|social|addtoany|follow-?us|related|recommend(?:ed|ations?)|also-?like|(?:more|other|latest|popular)-?(?:stories|posts|articles|news)|read-?(?:next|also|on)|newsletter|subscribe|sign-?up|(?:author|writer)-?(?:bio|box|card|info)|about-?(?:the-?)?author|cookies?|consent|gdpr|advert(?:isement)?s?|sponsored)(?=$|[\s_-]|s?(?:$|[\s_-])|-?(?:box|bar|buttons?|links?|list|widget|block|banner|notice|form))/i

/** Maximum number of words of such a part; a larger part is named after its topic. Lists of links are longer. */
const maxWords = 120
const maxLinkListWords = 400
const maxPageShare = 0.25
const maxBlocks = 300
/** Probability from which a text in such a part is content, so the name is misleading. */
const certainProbability = 0.9
const structuralTags = tagSet('article body html main table tr td')

function dropNamedParts(evidence: Evidence, kept: Uint8Array, probabilities: Float32Array): void {
  const { tree, blocks, page } = evidence
  for (let node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (name === 0 || structuralTags[name] === 1 || !isNamed(tree, node, boilerplateNames)) continue
    const end = tree.ends[node] ?? 0
    const [from, to] = getBlockRange(tree, blocks, node)
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    const links = sumIn(tree, blocks, blocks.linkWordsBefore, node)
    const hasTitle = page.titleBlock >= from && page.titleBlock < to
    const max = links * 2 > words ? maxLinkListWords : maxWords
    if (from === to || to - from > maxBlocks || hasTitle || words > max || words > page.words * maxPageShare)
      continue
    if (probabilities.subarray(from, to).some((probability) => probability >= certainProbability)) continue
    kept.fill(0, from, to)
    node = end - 1
  }
}

const maxReadLength = 200
const maxLineWords = 25
const structureTags = tagSet('blockquote caption dd dt h1 h2 h3 h4 h5 h6 li pre td th')

const boilerplateBeginnings =
  /^(?:share (?:this|on|via)|tweet this|follow us|like us on|subscribe (?:to|now)|sign up (?:for|to)|get .{0,60}(?:inbox|newsletter)|you (?:may|might) also (?:like|enjoy)|related (?:stories|articles|posts|content)|recommended for you|read (?:more|next|also)\b|advertisement|sponsored\b|by (?:continuing|reading|using|browsing).{0,60}cookies|(?:this|our) (?:site|website) uses cookies|(?:artikel |beitrag )?teilen\b|jetzt abonnieren|lesen sie auch|mehr zum thema|das könnte (?:sie|dich) auch|partage[rz]|abonnez-vous|(?:à )?lire aussi|compartir|suscríbete|te puede interesar|lee(?:r)? también|condividi|leggi anche|iscriviti)/i

function dropBoilerplateLines(evidence: Evidence, kept: Uint8Array): void {
  const { tree, blocks } = evidence
  for (let block = 0; block < blocks.count; block += 1) {
    if (kept[block] !== 1 || (blocks.words[block] ?? 0) > maxLineWords) continue
    if (structureTags[tree.tags[elementOfBlock(blocks, block)] ?? 0] === 1) continue
    const text = readTexts(tree, blocks.firsts[block] ?? 0, blocks.lasts[block] ?? 0, maxReadLength)
    const beginning = text.replace(/\s+/g, ' ').trim().slice(0, maxReadLength)
    if (boilerplateBeginnings.test(beginning)) kept[block] = 0
  }
}

/** Have the best balance on the development pages; lower for a complete page, where a lost line matters more. */
const minProbabilities = { main: 0.6, page: 0.4 }
/** Minimum for documentation, which is kept complete: an uncertain block is usually a short line of the text. */
const minReferenceProbability = 0.2
/** Minimum mean probability of a structure, because the model is never confident for lists, tables and cards. */
const minStructureProbability = 0.3

const decisiveReasons: ReadonlySet<Reason> = new Set<Reason>([
  'named as content',
  'title',
  'term of a definition',
  'part of a record',
])

function cleanBlocks(
  { method, evidence, choice, probabilities }: Decision,
  base: Uint8Array,
  scope: keyof typeof minProbabilities,
): Uint8Array {
  const required = method === 'container' ? minReferenceProbability : minProbabilities[scope]
  const kept = base.map((isRequested, block) => {
    const isDecided = choice.kept[block] === 1 && decisiveReasons.has(choice.reasons[block] ?? 'improbable')
    return isRequested & Number(isDecided || (probabilities[block] ?? 0) >= required)
  })
  for (const structure of findStructures(evidence)) {
    const [from, to] = getBlockRange(evidence.tree, evidence.blocks, structure)
    const isKept =
      getMeanProbability(evidence, probabilities, { base, from, to }) >=
      Math.min(required, minStructureProbability)
    for (let block = from; block < to; block += 1) kept[block] = (base[block] ?? 0) & Number(isKept)
  }
  dropNamedParts(evidence, kept, probabilities)
  dropBoilerplateLines(evidence, kept)
  dropBareHeadings(evidence, { base, kept, probabilities, minProbability: required })
  const { titleBlock } = evidence.page
  if (base[titleBlock] === 1) kept[titleBlock] = 1
  return kept
}

const structures = tagSet('blockquote dl ol pre table ul')

/** Yields the structures whose parts have no meaning alone; a list of complete texts is none. */
function* findStructures(evidence: Evidence): Generator<Node> {
  const { tree, blocks } = evidence
  // Posts, cards and complete pages are written as lists too; each of these texts has a heading or is long.
  const textsBefore = computePrefixSums(blocks.count, (block) => {
    const isLong = (blocks.words[block] ?? 0) > maxItemWords
    return Number(isLong || isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0))
  })
  const containsTexts = (node: Node) => {
    const [from, to] = getBlockRange(tree, blocks, node)
    return (textsBefore[to] ?? 0) > (textsBefore[from] ?? 0)
  }
  for (let node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (structures[name] !== 1) continue
    if (name === tag.table ? !isDataTable(tree, blocks, node) : name !== tag.pre && containsTexts(node))
      continue
    yield node
    node = (tree.ends[node] ?? 0) - 1
  }
}

const maxItemWords = 120

function getMeanProbability(
  { blocks }: Evidence,
  probabilities: Float32Array,
  { base, from, to }: { base: Uint8Array; from: number; to: number },
): number {
  let [sum, total] = [0, 0]
  for (let block = from; block < to; block += 1) {
    if (base[block] !== 1) continue
    const words = Math.max(1, blocks.words[block] ?? 0)
    sum += words * (probabilities[block] ?? 0)
    total += words
  }
  return total === 0 ? 0 : sum / total
}

interface HeadingContext {
  base: Uint8Array
  kept: Uint8Array
  probabilities: Float32Array
  minProbability: number
}

/** The own text of a heading ends at the next heading, its section at the next of the same or a higher level. */
function dropBareHeadings(
  { tree, blocks }: Evidence,
  { base, kept, probabilities, minProbability }: HeadingContext,
): void {
  const contentBefore = [countContentBefore(base), countContentBefore(kept)] as const
  const ends = new Array<number>(7).fill(blocks.count)
  let next = blocks.count
  for (let block = blocks.count - 1; block >= 0; block -= 1) {
    const name = tree.tags[elementOfBlock(blocks, block)] ?? 0
    if (!isHeading(name)) continue
    const level = name - tag.h1 + 1
    const section = ends[level] ?? blocks.count
    const countContent = (version: 0 | 1, end: number) =>
      (contentBefore[version][end] ?? 0) - (contentBefore[version][block + 1] ?? 0)
    const hadOwnText = countContent(0, next) > 0
    const isLikely = (probabilities[block] ?? 0) >= minProbability
    const hasContent = hadOwnText && !isLikely ? countContent(1, next) > 0 : countContent(1, section) > 0
    const isKept = hasContent || (countContent(0, section) === 0 && isLikely)
    kept[block] = (base[block] ?? 0) & Number(isKept)
    ends.fill(block, level)
    next = block
  }

  function countContentBefore(mask: Uint8Array): Float64Array {
    return computePrefixSums(blocks.count, (block) =>
      isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0) ? 0 : (mask[block] ?? 0),
    )
  }
}
