import { consentOffsets, isConsentDialog, mentionsConsent } from '../consent-dialog.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, isNamed, type Node, none, root, textAt } from '../tree/tree.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'

/**
 * Parts of a page that ask the visitor for something and say nothing of its subject, whatever they are called: consent to
 * cookies, an address for a newsletter. Each is left out whole.
 */
export function findConsentAndSignupBoxes(evidence: Evidence, probabilities: Float32Array): Node[] {
  return [...consentRequests(evidence, probabilities), ...newsletterForms(evidence)]
}

/** A request is short; a page about cookies is not. */
const maxWords = 250
const mostShare = 0.5
const maxNodes = 2000
/** How far the buttons may be from the text. */
const maxLevels = 6
const smallPage = 300
/** Words about consent that are looked at. */
const maxRead = 200
const fewestWords = 6
const namesOfConsent =
  /(?:cookies?|consent|gdpr|privacy)[-_]?(?:banner|notice|bar|popup|modal|dialog|alert|overlay|layer|warning|law)/i

function consentRequests(evidence: Evidence, probabilities: Float32Array): Node[] {
  const { tree, blocks } = evidence
  const { text, starts } = doubtfulTexts(evidence, probabilities)
  const found: Node[] = []
  let behind = 0
  let block = 0
  let last = none
  for (const place of consentOffsets(text, maxRead)) {
    while (block + 1 < blocks.count && (starts[block + 1] ?? 0) <= place) block += 1
    if (block === last || (blocks.firsts[block] ?? 0) < behind) continue
    last = block
    if (!mentionsConsent(text.slice(starts[block], starts[block + 1]))) continue
    const isRequest = (node: Node) =>
      isNamed(tree, node, namesOfConsent) || isConsentDialog(tree, node, false)
    const part = nearest(evidence, elementOfBlock(blocks, block), isRequest)
    if (part === root) continue
    found.push(part)
    behind = tree.ends[part] ?? 0
  }
  return found
}

/** The running text of a page is certain content and most of its words; it contains no requests to the visitor. */
const surelyContent = 0.97

/**
 * The blocks that are long enough to ask and short enough not to be about it, in lower case, and where each begins. Where a
 * page is too small for the model, all of them.
 */
function doubtfulTexts(
  { tree, blocks, page }: Evidence,
  probabilities: Float32Array,
): { text: string; starts: Int32Array } {
  const mostProbable = page.words < smallPage ? 1 : surelyContent
  const starts = new Int32Array(blocks.count + 1)
  const texts: string[] = []
  let length = 0
  for (let block = 0; block < blocks.count; block += 1) {
    starts[block] = length
    const words = blocks.words[block] ?? 0
    if (words < fewestWords || words > maxWords || (probabilities[block] ?? 0) > mostProbable) continue
    let own = ''
    for (let node = blocks.firsts[block] ?? 0; node < (blocks.lasts[block] ?? 0); node += 1) {
      if (tree.tags[node] === 0) own += textAt(tree, node)
    }
    const lower = `${own.toLowerCase()}\n`
    texts.push(lower)
    length += lower.length
  }
  starts[blocks.count] = length
  return { text: texts.join(''), starts }
}

const content = tagSet('article body html main td')

/** The nearest element around that is small enough to be a request and looks like one, or the root. */
function nearest({ tree, blocks, page }: Evidence, from: Node, isRequest: (node: Node) => boolean): Node {
  let node = from
  for (let level = 0; level < maxLevels && node > root; level += 1) {
    const end = tree.ends[node] ?? 0
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    if (content[tree.tags[node] ?? 0] === 1 || end - node > maxNodes) return root
    if (words > maxWords || words > page.words * mostShare) return root
    if (isRequest(node)) return node
    node = tree.parents[node] ?? root
  }
  return root
}

const maxWordsOfForm = 60
const namesOfNewsletter = /newsletter|subscri|mailing-?list|sign-?up/i
const wordsOfNewsletter =
  /newsletter|subscri|sign up|mailing list|abonn|suscr|inscri|iscriv|nieuwsbrief|nyhetsbrev|рассылк/i

/** Forms that only ask for a mail address, with the text around them. */
function newsletterForms({ tree, blocks }: Evidence): Node[] {
  const found: Node[] = []
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.form) continue
    const end = tree.ends[node] ?? 0
    if (end - node > maxNodes || sumIn(tree, blocks, blocks.wordsBefore, node) > maxWordsOfForm) continue
    if (!asksForAddress(node)) continue
    const part = around(node)
    if (part !== root) found.push(part)
    node = end - 1
  }
  return found

  function asksForAddress(form: Node): boolean {
    let isAsked = false
    for (let node = form + 1; node < (tree.ends[form] ?? 0); node += 1) {
      const name = tree.tags[node]
      if (name === tag.textarea || name === tag.select) return false
      if (name !== tag.input) continue
      const type = attribute(tree, node, attr.type)?.toLowerCase() ?? 'text'
      if (type === 'password' || type === 'search') return false
      isAsked ||= type === 'email' || /mail/i.test(attribute(tree, node, attr.name) ?? '')
    }
    return isAsked
  }

  /** The widest part that is about the newsletter, or the root where nothing says that the form is. */
  function around(form: Node): Node {
    let part = root
    let node = form
    for (let level = 0; level < maxLevels && node > root; level += 1) {
      const end = tree.ends[node] ?? 0
      if (
        content[tree.tags[node] ?? 0] === 1 ||
        sumIn(tree, blocks, blocks.wordsBefore, node) > maxWordsOfForm
      )
        break
      const names = `${attribute(tree, node, attr.class) ?? ''} ${attribute(tree, node, attr.id) ?? ''}`
      if (namesOfNewsletter.test(names) || saysNewsletter(node, end)) part = node
      node = tree.parents[node] ?? root
    }
    return part
  }

  function saysNewsletter(from: Node, end: Node): boolean {
    for (let node = from; node < end && node < from + maxNodes; node += 1) {
      if (tree.tags[node] === 0 && wordsOfNewsletter.test(textAt(tree, node))) return true
    }
    return false
  }
}
