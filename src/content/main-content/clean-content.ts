import { tag, tagSet } from '../tree/names.ts'
import { isNamed, isText, type Node, none, textAt } from '../tree/tree.ts'
import type { MainContentMode, Reason } from './block-selection.ts'
import { blocksIn, sumsBefore } from './blocks.ts'
import { type Decision, decide, leaveOut, type MainContent } from './main-content.ts'
import { type Evidence, elementOfBlock, type PageSource, sumIn } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'
import { isOfData } from './whole-tables.ts'

/** What is cleaned: the main content in a mode, or these parts of the page, whatever they are. */
export type Cleaned = { mode: MainContentMode | undefined } | { parts: readonly Node[]; hasTitle: boolean }

/** If less than this share of what is surely wanted is left, the model does not know pages of this kind. */
const minLeft = 0.25

/**
 * A stricter pass over what was asked for: furniture that the ordinary choice leaves in doubt goes too. Undefined where the
 * model cannot tell: of a page of a few words, or where nearly nothing would be left.
 */
export function cleanContent(source: PageSource, asked: Cleaned): MainContent | undefined {
  const isMain = 'mode' in asked
  const decision = decide(source, isMain ? asked.mode : undefined)
  if (decision.road === 'pruned') return undefined
  const { evidence, choice } = decision
  const base = isMain ? choice.kept : blocksOf(evidence, asked.parts)
  const kept = cleanBlocks(decision, base, isMain ? 'main' : 'page')
  if (wordsOf(evidence, kept) < wordsWanted(decision, base) * minLeft || !kept.includes(1)) return undefined
  return leaveOut(source, decision, { kept, hasTitle: isMain || asked.hasTitle })
}

function blocksOf({ tree, blocks }: Evidence, parts: readonly Node[]): Uint8Array {
  const kept = new Uint8Array(blocks.count)
  for (const part of parts) kept.fill(1, blocks.before[part], blocks.before[tree.ends[part] ?? none])
  return kept
}

/** Of the main content, as far as it was asked for; where nothing of it was, of all that was. */
function wordsWanted({ evidence, choice }: Decision, base: Uint8Array): number {
  const both = base.map((isKept, block) => isKept & (choice.kept[block] ?? 0))
  return wordsOf(evidence, both) || wordsOf(evidence, base)
}

/** What sites call the parts that serve a visitor and not the text. */
const namesOfFurniture =
  /(?:^|[\s_-])(?:shar(?:e|ing|edaddy)|social|addtoany|follow-?us|related|recommend(?:ed|ations?)|also-?like|(?:more|other|latest|popular)-?(?:stories|posts|articles|news)|read-?(?:next|also|on)|newsletter|subscribe|sign-?up|(?:author|writer)-?(?:bio|box|card|info)|about-?(?:the-?)?author|cookies?|consent|gdpr|advert(?:isement)?s?|sponsored)(?=$|[\s_-]|s?(?:$|[\s_-])|-?(?:box|bar|buttons?|links?|list|widget|block|banner|notice|form))/i

/** Such a part is small; what is larger is named after what it is about. Lists of links are longer. */
const maxWords = 120
const maxWordsOfLinks = 400
const mostOfPage = 0.25
const maxBlocks = 300
/** A text of which the model is sure was put into a part with a wrong name. */
const sure = 0.9
const ofPage = tagSet('article body html main table tr td')

/** Drops parts of the kept text that are named as furniture. */
function dropNamed(evidence: Evidence, kept: Uint8Array, probabilities: Float32Array): void {
  const { tree, blocks, page } = evidence
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || ofPage[tree.tags[node] ?? 0] === 1 || !isNamed(tree, node, namesOfFurniture))
      continue
    const end = tree.ends[node] ?? 0
    const [from, to] = blocksIn(tree, blocks, node)
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    const links = sumIn(tree, blocks, blocks.linkWordsBefore, node)
    const hasTitle = page.titleBlock >= from && page.titleBlock < to
    const most = links * 2 > words ? maxWordsOfLinks : maxWords
    if (from === to || to - from > maxBlocks || hasTitle || words > most || words > page.words * mostOfPage)
      continue
    if (probabilities.subarray(from, to).some((probability) => probability >= sure)) continue
    kept.fill(0, from, to)
    node = end - 1
  }
}

const maxWordsOfLine = 25
const inStructures = tagSet('blockquote caption dd dt h1 h2 h3 h4 h5 h6 li pre td th')

/** How lines begin that ask the visitor for something or lead away. */
const beginnings =
  /^(?:share (?:this|on|via)|tweet this|follow us|like us on|subscribe (?:to|now)|sign up (?:for|to)|get .{0,60}(?:inbox|newsletter)|you (?:may|might) also (?:like|enjoy)|related (?:stories|articles|posts|content)|recommended for you|read (?:more|next|also)\b|advertisement|sponsored\b|by (?:continuing|reading|using|browsing).{0,60}cookies|(?:this|our) (?:site|website) uses cookies|(?:artikel |beitrag )?teilen\b|jetzt abonnieren|lesen sie auch|mehr zum thema|das könnte (?:sie|dich) auch|partage[rz]|abonnez-vous|(?:à )?lire aussi|compartir|suscríbete|te puede interesar|lee(?:r)? también|condividi|leggi anche|iscriviti)/i

/** Drops lines of their own that say nothing else. */
function dropLines(evidence: Evidence, kept: Uint8Array): void {
  const { tree, blocks } = evidence
  for (let block = 0; block < blocks.count; block += 1) {
    if (kept[block] !== 1 || (blocks.words[block] ?? 0) > maxWordsOfLine) continue
    if (inStructures[tree.tags[elementOfBlock(blocks, block)] ?? 0] === 1) continue
    if (beginnings.test(beginningOf(evidence, block))) kept[block] = 0
  }
}

const maxRead = 200

function beginningOf({ tree, blocks }: Evidence, block: number): string {
  let text = ''
  const last = blocks.lasts[block] ?? 0
  for (let node = blocks.firsts[block] ?? 0; node < last && text.length < maxRead; node += 1) {
    if (isText(tree, node)) text += textAt(tree, node)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, maxRead)
}

/**
 * The least probability of a line or a paragraph in the main content, chosen on the development pages: there the balance of
 * precision and recall is best. Who asks for the whole page misses a line sooner.
 */
const least = { main: 0.6, page: 0.4 }
/** Documentation is whole: what is doubtful there is mostly a short line of the text. */
const minOfReference = 0.2
/** The least mean of a structure. Of lists, tables and cards the model is never sure. */
const minOfStructure = 0.3

/** What the page itself says is wanted, or what another kept part needs. */
const settled: ReadonlySet<Reason> = new Set<Reason>([
  'named as content',
  'title',
  'term of a definition',
  'part of a record',
])

/** Of the blocks that were asked for, those that are surely content. Tables and lists stay whole or go whole. */
function cleanBlocks(
  { road, evidence, choice, probabilities }: Decision,
  base: Uint8Array,
  of: keyof typeof least,
): Uint8Array {
  const needed = road === 'container' ? minOfReference : least[of]
  const kept = base.map((isAsked, block) => {
    const isSettled = choice.kept[block] === 1 && settled.has(choice.reasons[block] ?? 'improbable')
    return isAsked & Number(isSettled || (probabilities[block] ?? 0) >= needed)
  })
  for (const structure of structuresOf(evidence)) {
    const [from, to] = blocksIn(evidence.tree, evidence.blocks, structure)
    const isKept = meanIn(evidence, probabilities, { base, from, to }) >= Math.min(needed, minOfStructure)
    for (let block = from; block < to; block += 1) kept[block] = (base[block] ?? 0) & Number(isKept)
  }
  dropNamed(evidence, kept, probabilities)
  dropLines(evidence, kept)
  dropBareHeadings(evidence, { base, kept, probabilities, needed })
  const { titleBlock } = evidence.page
  if (base[titleBlock] === 1) kept[titleBlock] = 1
  return kept
}

const structures = tagSet('blockquote dl ol pre table ul')

/** The outermost structures whose parts mean nothing alone; a list of whole texts is none of them. */
function* structuresOf(evidence: Evidence): Generator<Node> {
  const { tree, blocks } = evidence
  const textsBefore = countTexts(evidence)
  const hasTexts = (node: Node) => {
    const [from, to] = blocksIn(tree, blocks, node)
    return (textsBefore[to] ?? 0) > (textsBefore[from] ?? 0)
  }
  for (let node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (structures[name] !== 1) continue
    if (name === tag.table ? !isOfData(tree, blocks, node) : name !== tag.pre && hasTexts(node)) continue
    yield node
    node = (tree.ends[node] ?? 0) - 1
  }
}

const maxWordsOfItem = 120

/** Posts, cards and whole pages are written as lists too; each has a heading or is long. How many such blocks begin before each. */
function countTexts({ tree, blocks }: Evidence): Float64Array {
  return sumsBefore(blocks.count, (block) => {
    const isLong = (blocks.words[block] ?? 0) > maxWordsOfItem
    return Number(isLong || isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0))
  })
}

/** By words, of the blocks that were asked for. */
function meanIn(
  { blocks }: Evidence,
  probabilities: Float32Array,
  { base, from, to }: { base: Uint8Array; from: number; to: number },
): number {
  let [sum, all] = [0, 0]
  for (let block = from; block < to; block += 1) {
    if (base[block] !== 1) continue
    const words = Math.max(1, blocks.words[block] ?? 0)
    sum += words * (probabilities[block] ?? 0)
    all += words
  }
  return all === 0 ? 0 : sum / all
}

interface Cleaning {
  base: Uint8Array
  kept: Uint8Array
  probabilities: Float32Array
  needed: number
}

/**
 * A heading stays with what it stands above, however likely it is, and goes with it. Up to the next heading is its own text; up
 * to the next of its level its section.
 */
function dropBareHeadings({ tree, blocks }: Evidence, { base, kept, probabilities, needed }: Cleaning): void {
  const ownBefore = [countBefore(base), countBefore(kept)] as const
  const ends = new Array<number>(7).fill(blocks.count)
  let next = blocks.count
  for (let block = blocks.count - 1; block >= 0; block -= 1) {
    const name = tree.tags[elementOfBlock(blocks, block)] ?? 0
    if (!isHeading(name)) continue
    const level = name - tag.h1 + 1
    const section = ends[level] ?? blocks.count
    const count = (which: 0 | 1, end: number) =>
      (ownBefore[which][end] ?? 0) - (ownBefore[which][block + 1] ?? 0)
    const hadOwn = count(0, next) > 0
    const isLikely = (probabilities[block] ?? 0) >= needed
    const isAbove = hadOwn && !isLikely ? count(1, next) > 0 : count(1, section) > 0
    const stays = isAbove || (count(0, section) === 0 && isLikely)
    kept[block] = (base[block] ?? 0) & Number(stays)
    ends.fill(block, level)
    next = block
  }

  /** Headings do not count: of a section whose text went nothing is left to name. */
  function countBefore(marks: Uint8Array): Float64Array {
    return sumsBefore(blocks.count, (block) =>
      isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0) ? 0 : (marks[block] ?? 0),
    )
  }
}

function wordsOf({ blocks }: Evidence, kept: Uint8Array): number {
  let words = 0
  for (let block = 0; block < blocks.count; block += 1)
    words += (kept[block] ?? 0) * (blocks.words[block] ?? 0)
  return words
}
