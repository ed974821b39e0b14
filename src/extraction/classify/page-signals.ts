import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  attributeNamed,
  attributesSource,
  endOf,
  hasEndTag,
  type Node,
  parentOf,
  root,
  type Tree,
  tagOf,
  textAt,
  textOf,
} from '../../content/tree/tree.ts'
import {
  clearSurroundings,
  closeFrames,
  createFrames,
  type Frame,
  type Frames,
  isContainer,
  openFrame,
} from './container-stack.ts'
import {
  anyOf,
  emptyPageFacts,
  isGeneratedDocumentation,
  type PageFacts,
  refreshOf,
  textLength,
} from './page-facts.ts'

/**
 * True if the content of the element is not read. A hidden element without an end tag contains the rest of
 * the page, so it is read.
 */
function isOpaque(tree: Tree, node: Node): boolean {
  const name = tagOf(tree, node)
  if (rawTextTags[name] === 1) return true
  if (hiddenTags[name] !== 1 || !hasEndTag(tree, node)) return false
  return name !== tag.template || attributeNamed(tree, node, 'shadowrootmode') === undefined
}

const rawTextTags = tagSet('iframe noembed noframes script style textarea title xmp')
const hiddenTags = tagSet('audio canvas noscript object select svg template video')

function readNoscript(facts: PageFacts, noscript: Node): void {
  const { tree } = facts
  const end = endOf(tree, noscript)
  for (let node = noscript + 1; node < end; ) {
    const name = tagOf(tree, node)
    if (name === 0) {
      const text = textAt(tree, node)
      if (textLength(text) > 0) facts.noscript += `${text} `
    }
    if (name === tag.meta) facts.noscriptRefresh ??= refreshOf(tree, node)
    node = isOpaque(tree, node) ? endOf(tree, node) : node + 1
  }
}

/** `isOutermost` is true if the frame is in no element that surrounds the main part, such as a footer. */
function recordFrame(facts: PageFacts, frame: Frame, { isOutermost }: { isOutermost: boolean }): void {
  const text = facts.prose + facts.linked - frame.before.prose - frame.before.linked
  const otherContent = facts.media + facts.fields - frame.before.media - frame.before.fields
  if (frame.tag === tag.tbody && text + otherContent === 0) facts.emptyTables += 1
  // A text this short may be a logo or "Loading …", which is not content.
  if (frame.isRoot && text < 40 && otherContent === 0) {
    if (frame.isCustomElement) facts.emptyCustomElements += 1
    else facts.emptyRoots += 1
  }
  // Teasers of other pages are also `article` elements, but consist mostly of links.
  const isTeaser = frame.tag === tag.article && facts.prose - frame.before.prose < 100
  if ((frame.isRoot || frame.isMain) && text >= 100 && !isTeaser) facts.filledCount += 1
  if (frame.isMain && frame.tag !== tag.article) {
    facts.mainCount += 1
    if (text < 20 && otherContent === 0) facts.emptyMainCount += 1
  }
  if (frame.surrounding && isOutermost) reclassifyAsMain(facts, frame)
}

/** The class name of long text may be misleading, such as "has-sidebar" of a wrapper, or an end tag may be missing. */
function reclassifyAsMain(facts: PageFacts, { surrounding, hasEndTag, before }: Frame): void {
  const surroundingProse = facts.proseAround - before.proseAround
  if (surroundingProse < (hasEndTag ? minMainTextLength[surrounding ?? 'element'] : 500)) return
  facts.prose += surroundingProse
  facts.proseAround -= surroundingProse
}

const minMainTextLength = { element: Infinity, foot: 2500, name: 1000 }

/** True if a script may render the page; false for analytics, bot protection and non-code scripts. */
function mayRenderPage(tree: Tree, node: Node, code: string): boolean {
  const type = attribute(tree, node, attr.type)?.toLowerCase() ?? ''
  if (type !== '' && type !== 'module' && !/(?:java|ecma)script$/.test(type)) return false
  const source = attribute(tree, node, attr.src)
  if (source !== undefined) return !trackingSources.test(source)
  return code.trim() !== '' && !trackingCode.test(code.slice(0, 2000))
}

const trackingSources = anyOf('i', [
  /googletagmanager|google-analytics|\/gtag|\/ga\.js|cloudflareinsights|plausible|matomo|piwik|hotjar/,
  /segment\.(?:com|io)|facebook\.net|doubleclick|googlesyndication|adsbygoogle|statcounter|clarity\.ms/,
  /umami|usefathom|newrelic|mc\.yandex|hm\.baidu|addthis|sharethis|cookiebot|onetrust|cookieconsent/,
  /email-decode|recaptcha|hcaptcha|turnstile|html5shiv|respond(?:\.min)?\.js/,
])

const trackingCode = anyOf('', [
  /\bgtag\s*\(|\bdataLayer\b|\b_gaq\b|GoogleAnalyticsObject|\bfbq\s*\(|\b_paq\b|\bym\s*\(|\bclarity\b/,
  /__CF\$cv\$params|_linkedin_partner_id|\b_hmt\b/,
])

/** No known challenge page, consent wall or page without rendered content has so much prose. */
const sufficientProse = 2000

export function readPageSignals(tree: Tree): PageFacts {
  const facts = emptyPageFacts(tree)
  const state: ReadState = {
    ...{ facts, frames: createFrames(tree), heading: undefined, control: undefined },
    ...{ startsBlock: true, lastText: root },
  }
  for (let node = root + 1; node < tree.count && facts.prose < sufficientProse; ) node = readNode(state, node)
  if (facts.prose < sufficientProse) closeBefore(state, tree.count)
  facts.hasEnoughProse = facts.prose >= sufficientProse
  return facts
}

interface ReadState {
  facts: PageFacts
  frames: Frames
  heading: { text: string; end: Node } | undefined
  control: string | undefined
  startsBlock: boolean
  lastText: Node
}

function readNode(state: ReadState, node: Node): Node {
  const { tree } = state.facts
  closeBefore(state, node)
  if (tagOf(tree, node) === 0) {
    addText(state, node)
    return node + 1
  }
  const hasAttributes = tree.starts[node] !== tree.stops[node]
  if (hasAttributes) state.facts.elements.push(node)
  if (isOpaque(tree, node)) {
    readOpaqueElement(state, node)
    return endOf(tree, node)
  }
  if (hasAttributes && state.frames.mainCount > 0) state.facts.mainElements.push(node)
  readElement(state, node)
  return node + 1
}

function readElement(state: ReadState, node: Node): void {
  const { facts, frames } = state
  const { tree } = facts
  const name = tagOf(tree, node)
  if (inlineTags[name] !== 1) state.startsBlock = true
  if (name === tag.h1) clearSurroundings(frames, 'h1')
  if ((name === tag.h1 || name === tag.h2) && hasEndTag(tree, node)) {
    state.heading = { text: '', end: endOf(tree, node) }
  }
  if (name === tag.meta) {
    facts.refresh ??= refreshOf(tree, node)
    facts.isGeneratedDocumentation ||= isGeneratedDocumentation(tree, node)
  }
  if (name === tag.input) addField(state, node)
  if (name === tag.img || name === tag.embed) addMedia(state)
  if (!isContainer(tree, node)) return
  if (name === tag.a || name === tag.button) state.control = ''
  openFrame(frames, node, facts)
}

function closeBefore(state: ReadState, node: Node): void {
  const { facts, frames } = state
  if (state.heading && state.heading.end <= node) {
    facts.headings.push(state.heading.text.replace(/\s+/g, ' ').trim())
    state.heading = undefined
  }
  for (let closed = closeFrames(frames, node); closed.length > 0; closed = closeFrames(frames, node)) {
    const isOutermost = frames.surroundings === 0
    for (const frame of closed) {
      if (state.control !== undefined && (frame.tag === tag.a || frame.tag === tag.button)) {
        facts.controls.push(state.control.trim())
        state.control = undefined
      }
      recordFrame(facts, frame, { isOutermost })
    }
  }
}

const inlineTags = tagSet(`
  a abbr b bdi cite code em font i img kbd mark q s small span strong sub sup time u wbr
`)

/** Menu entries are shorter. */
const minSentenceLength = 60

/** On a page with more blocks, the length of the text decides the classification. */
const maxBlocks = 400

function addText(state: ReadState, node: Node): void {
  const { facts, frames } = state
  const text = textAt(facts.tree, node)
  const length = textLength(text)
  if (length === 0) return
  if (state.heading) state.heading.text += text
  if (state.control !== undefined) state.control += text
  const isAround = frames.surroundings > 0
  const isLinked = frames.links > 0
  if (isAround) facts.around += length
  else if (isLinked) facts.linked += length
  else facts.prose += length
  if (isAround && !isLinked && length >= minSentenceLength) facts.proseAround += length
  if (isLinked && !isAround) return
  const blocks = isAround ? facts.blocksAround : facts.blocks
  const startsBlock = state.startsBlock || endsBlock(facts.tree, state.lastText, node)
  if ((startsBlock && blocks.length < maxBlocks) || blocks.length === 0) blocks.push(text)
  else blocks[blocks.length - 1] += text
  state.startsBlock = false
  state.lastText = node
}

function endsBlock(tree: Tree, text: Node, next: Node): boolean {
  let node = parentOf(tree, text)
  for (; node > root && endOf(tree, node) <= next; node = parentOf(tree, node))
    if (inlineTags[tagOf(tree, node)] !== 1) return true
  return false
}

function readOpaqueElement(state: ReadState, node: Node): void {
  const { facts } = state
  const { tree } = facts
  const name = tagOf(tree, node)
  if (name === tag.title && facts.title === '') facts.title = textOf(tree, node).replace(/\s+/g, ' ').trim()
  if (name === tag.noscript) readNoscript(facts, node)
  if (name === tag.textarea) addField(state, node)
  if (mediaTags[name] === 1) addMedia(state)
  if (name !== tag.script) return
  const code = textOf(tree, node)
  if (code !== '') facts.code.push(code)
  if (mayRenderPage(tree, node, code)) facts.scripts += 1
}

const mediaTags = tagSet('iframe video audio object')

function addMedia({ facts, frames }: ReadState): void {
  if (frames.surroundings === 0) facts.media += 1
}

function addField({ facts, frames }: ReadState, node: Node): void {
  const { tree } = facts
  const type = attribute(tree, node, attr.type)?.toLowerCase() ?? 'text'
  const label = type === 'submit' || type === 'button' ? attribute(tree, node, attr.value) : undefined
  if (label !== undefined) facts.controls.push(label)
  if (!fillableTypes.has(type) || frames.surroundings > 0) return
  if (/captcha/i.test(attributesSource(tree, node))) return
  facts.fields += 1
  if (type === 'password') facts.passwords += 1
}

const fillableTypes = new Set(['text', 'email', 'password', 'search', 'tel', 'number', 'url', 'date'])
