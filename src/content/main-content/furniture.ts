import { attr, tagSet } from '../tree/names.ts'
import { attribute, isText, type Node, textAt } from '../tree/tree.ts'
import { type Evidence, holderOf } from './evidence.ts'

/** What sites call the parts that serve a visitor and not the text. */
const namesOfFurniture =
  /(?:^|[\s_-])(?:shar(?:e|ing|edaddy)|social|addtoany|follow-?us|related|recommend(?:ed|ations?)|also-?like|(?:more|other|latest|popular)-?(?:stories|posts|articles|news)|read-?(?:next|also|on)|newsletter|subscribe|sign-?up|(?:author|writer)-?(?:bio|box|card|info)|about-?(?:the-?)?author|cookies?|consent|gdpr|advert(?:isement)?s?|sponsored)(?=$|[\s_-]|s?(?:$|[\s_-])|-?(?:box|bar|buttons?|links?|list|widget|block|banner|notice|form))/i

/** Such a part is small; what is larger is named after what it is about. Lists of links are longer. */
const mostWords = 120
const mostWordsOfLinks = 400
const mostOfPage = 0.25
const mostBlocks = 300
/** A text of which the model is sure was put into a part with a wrong name. */
const sure = 0.9
const ofPage = tagSet('article body html main table tr td')

/** Drops parts of the kept text that are named as furniture. */
export function dropNamed(evidence: Evidence, kept: Uint8Array, probabilities: Float32Array): void {
  const { tree, blocks, page } = evidence
  const before = (sums: Float64Array, place: number) => sums[place] ?? 0
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || ofPage[tree.tags[node] ?? 0] === 1 || !isNamed(evidence, node)) continue
    const end = tree.ends[node] ?? 0
    const [from, to] = [blocks.before[node] ?? 0, blocks.before[end] ?? 0]
    const words = before(blocks.wordsBefore, to) - before(blocks.wordsBefore, from)
    const links = before(blocks.linkWordsBefore, to) - before(blocks.linkWordsBefore, from)
    const hasTitle = page.titleBlock >= from && page.titleBlock < to
    const most = links * 2 > words ? mostWordsOfLinks : mostWords
    if (from === to || to - from > mostBlocks || hasTitle || words > most || words > page.words * mostOfPage)
      continue
    if (probabilities.subarray(from, to).some((probability) => probability >= sure)) continue
    kept.fill(0, from, to)
    node = end - 1
  }
}

function isNamed({ tree }: Evidence, node: Node): boolean {
  return [attr.class, attr.id].some((name) => namesOfFurniture.test(attribute(tree, node, name) ?? ''))
}

const mostWordsOfLine = 25
const inStructures = tagSet('blockquote caption dd dt h1 h2 h3 h4 h5 h6 li pre td th')

/** How lines begin that ask the visitor for something or lead away. */
const beginnings =
  /^(?:share (?:this|on|via)|tweet this|follow us|like us on|subscribe (?:to|now)|sign up (?:for|to)|get .{0,60}(?:inbox|newsletter)|you (?:may|might) also (?:like|enjoy)|related (?:stories|articles|posts|content)|recommended for you|read (?:more|next|also)\b|advertisement|sponsored\b|by (?:continuing|reading|using|browsing).{0,60}cookies|(?:this|our) (?:site|website) uses cookies|(?:artikel |beitrag )?teilen\b|jetzt abonnieren|lesen sie auch|mehr zum thema|das könnte (?:sie|dich) auch|partage[rz]|abonnez-vous|(?:à )?lire aussi|compartir|suscríbete|te puede interesar|lee(?:r)? también|condividi|leggi anche|iscriviti)/i

/** Drops lines of their own that say nothing else. */
export function dropLines(evidence: Evidence, kept: Uint8Array): void {
  const { tree, blocks } = evidence
  for (let block = 0; block < blocks.count; block += 1) {
    if (kept[block] !== 1 || (blocks.words[block] ?? 0) > mostWordsOfLine) continue
    if (inStructures[tree.tags[holderOf(blocks, block)] ?? 0] === 1) continue
    if (beginnings.test(beginningOf(evidence, block))) kept[block] = 0
  }
}

const mostRead = 200

function beginningOf({ tree, blocks }: Evidence, block: number): string {
  let text = ''
  const last = blocks.lasts[block] ?? 0
  for (let node = blocks.firsts[block] ?? 0; node < last && text.length < mostRead; node += 1) {
    if (isText(tree, node)) text += textAt(tree, node)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, mostRead)
}
