import { findConsentOffsets, isConsentDialog, mentionsConsent } from '../consent-dialog.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, findNode, isNamed, type Node, none, readTexts, root, textAt } from '../tree/tree.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'

export function findConsentAndSignupBoxes(evidence: Evidence, probabilities: Float32Array): Node[] {
  return [...findConsentRequests(evidence, probabilities), ...findNewsletterForms(evidence)]
}

const maxWords = 250
const maxPageShare = 0.5
const maxNodes = 2000
const maxLevels = 6
const minModelWords = 300
const maxMentions = 200
const minWords = 6
const consentNames =
  /(?:cookies?|consent|gdpr|privacy)[-_]?(?:banner|notice|bar|popup|modal|dialog|alert|overlay|layer|warning|law)/i

function findConsentRequests(evidence: Evidence, probabilities: Float32Array): Node[] {
  const { tree, blocks } = evidence
  const { text, offsets } = readUncertainTexts(evidence, probabilities)
  const requests: Node[] = []
  let requestEnd = 0
  let block = 0
  let lastBlock = none
  for (const offset of findConsentOffsets(text, maxMentions)) {
    while (block + 1 < blocks.count && (offsets[block + 1] ?? 0) <= offset) block += 1
    if (block === lastBlock || (blocks.firsts[block] ?? 0) < requestEnd) continue
    lastBlock = block
    if (!mentionsConsent(text.slice(offsets[block], offsets[block + 1]))) continue
    const isRequest = (node: Node) => isNamed(tree, node, consentNames) || isConsentDialog(tree, node, false)
    const part = findNearest(evidence, elementOfBlock(blocks, block), isRequest)
    if (part === root) continue
    requests.push(part)
    requestEnd = tree.ends[part] ?? 0
  }
  return requests
}

/** Probability above which a block is the main text, which contains no requests to the visitor. */
const maxUncertainProbability = 0.97

/** Returns lower-case text and block offsets. On pages too small for the model, probabilities are ignored. */
function readUncertainTexts({ tree, blocks, page }: Evidence, probabilities: Float32Array) {
  const maxProbability = page.words < minModelWords ? 1 : maxUncertainProbability
  const offsets = new Int32Array(blocks.count + 1)
  const texts: string[] = []
  let length = 0
  for (let block = 0; block < blocks.count; block += 1) {
    offsets[block] = length
    const words = blocks.words[block] ?? 0
    if (words < minWords || words > maxWords || (probabilities[block] ?? 0) > maxProbability) continue
    const blockText = readTexts(tree, blocks.firsts[block] ?? 0, blocks.lasts[block] ?? 0)
    const lower = `${blockText.toLowerCase()}\n`
    texts.push(lower)
    length += lower.length
  }
  offsets[blocks.count] = length
  return { text: texts.join(''), offsets }
}

const contentTags = tagSet('article body html main td')

function findNearest({ tree, blocks, page }: Evidence, from: Node, isRequest: (node: Node) => boolean): Node {
  let node = from
  for (let level = 0; level < maxLevels && node > root; level += 1) {
    const end = tree.ends[node] ?? 0
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    if (contentTags[tree.tags[node] ?? 0] === 1 || end - node > maxNodes) return root
    if (words > maxWords || words > page.words * maxPageShare) return root
    if (isRequest(node)) return node
    node = tree.parents[node] ?? root
  }
  return root
}

const maxFormWords = 60
const newsletterNames = /newsletter|subscri|mailing-?list|sign-?up/i
const newsletterWords =
  /newsletter|subscri|sign up|mailing list|abonn|suscr|inscri|iscriv|nieuwsbrief|nyhetsbrev|рассылк/i

function findNewsletterForms({ tree, blocks }: Evidence): Node[] {
  const boxes: Node[] = []
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.form) continue
    const end = tree.ends[node] ?? 0
    if (end - node > maxNodes || sumIn(tree, blocks, blocks.wordsBefore, node) > maxFormWords) continue
    if (!requestsEmail(node)) continue
    const box = findBox(node)
    if (box !== root) boxes.push(box)
    node = end - 1
  }
  return boxes

  function requestsEmail(form: Node): boolean {
    let hasEmailField = false
    for (let node = form + 1; node < (tree.ends[form] ?? 0); node += 1) {
      const name = tree.tags[node]
      if (name === tag.textarea || name === tag.select) return false
      if (name !== tag.input) continue
      const inputType = attribute(tree, node, attr.type)?.toLowerCase() ?? 'text'
      if (inputType === 'password' || inputType === 'search') return false
      hasEmailField ||= inputType === 'email' || /mail/i.test(attribute(tree, node, attr.name) ?? '')
    }
    return hasEmailField
  }

  function findBox(form: Node): Node {
    let box = root
    let node = form
    for (let level = 0; level < maxLevels && node > root; level += 1) {
      const end = tree.ends[node] ?? 0
      if (
        contentTags[tree.tags[node] ?? 0] === 1 ||
        sumIn(tree, blocks, blocks.wordsBefore, node) > maxFormWords
      )
        break
      if (isNamed(tree, node, newsletterNames) || mentionsNewsletter(node, end)) box = node
      node = tree.parents[node] ?? root
    }
    return box
  }

  function mentionsNewsletter(from: Node, end: Node): boolean {
    const isMention = (at: Node) => tree.tags[at] === 0 && newsletterWords.test(textAt(tree, at))
    return findNode(from, Math.min(end, from + maxNodes), isMention) !== none
  }
}
