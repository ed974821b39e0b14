import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  attributeNamed,
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
  closeFrames,
  type Frame,
  type Frames,
  isContainer,
  isDoubtful,
  noFrames,
  openFrame,
} from './container-stack.ts'
import {
  anyOf,
  emptyPageSignals,
  fieldOf,
  isWrittenOut,
  type PageFacts,
  refreshOf,
  textLength,
} from './page-facts.ts'

/**
 * Whether what an element holds is not markup, or is not shown. One that was never closed holds the rest of the page, unless all of
 * that is text to a browser.
 */
function isUnread(tree: Tree, node: Node): boolean {
  const name = tagOf(tree, node)
  if (holdsText[name] === 1) return true
  if (unread[name] !== 1 || !hasEndTag(tree, node)) return false
  return name !== tag.template || attributeNamed(tree, node, 'shadowrootmode') === undefined
}

const holdsText = tagSet('iframe noembed noframes script style textarea title xmp')
const unread = tagSet('audio canvas noscript object select svg template video')

/** Most of these hold only styles, or pictures that count visits. */
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
    node = isUnread(tree, node) ? endOf(tree, node) : node + 1
  }
}

/**
 * Takes into account what a container turned out to hold. It is outermost where nothing that is still open stands around the main
 * part.
 */
function settleFrame(facts: PageFacts, frame: Frame, { isOutermost }: { isOutermost: boolean }): void {
  const text = facts.prose + facts.linked - frame.before.prose - frame.before.linked
  const others = facts.media + facts.fields - frame.before.media - frame.before.fields
  if (frame.tag === tag.tbody && text + others === 0) facts.emptyTables += 1
  // A logo and "Loading …" are no content.
  if (frame.isRoot && text < 40 && others === 0) {
    if (frame.isOwn) facts.emptyOwnRoots += 1
    else facts.emptyRoots += 1
  }
  // Teasers of other pages are articles too, and mostly links.
  const isTeaser = frame.tag === tag.article && facts.prose - frame.before.prose < 100
  if ((frame.isRoot || frame.isMain) && text >= 100 && !isTeaser) facts.filled += 1
  if (frame.isMain && frame.tag !== tag.article) {
    facts.mains += 1
    if (text < 20 && others === 0) facts.emptyMains += 1
  }
  if (frame.surrounding && isOutermost) takeBack(facts, frame)
}

/** What was put aside wrongly: a wrapper called "has-sidebar" is no sidebar, and end tags are forgotten. */
function takeBack(facts: PageFacts, { surrounding, hasEndTag, before }: Frame): void {
  const aside = facts.proseAround - before.proseAround
  if (aside < (hasEndTag ? leastDoubtful[surrounding ?? 'element'] : 500)) return
  facts.prose += aside
  facts.proseAround -= aside
}

/** The shortest text for which each kind of surrounding is doubted. */
const leastDoubtful = { element: Infinity, foot: 2500, name: 1000 }

/** Whether a script could write the page: others only count or guard its visitors, or hold no code. */
function couldWrite(tree: Tree, node: Node, code: string): boolean {
  const type = attribute(tree, node, attr.type)?.toLowerCase() ?? ''
  if (type !== '' && type !== 'module' && !/(?:java|ecma)script$/.test(type)) return false
  const source = attribute(tree, node, attr.src)
  if (source !== undefined) return !countingSources.test(source)
  return code.trim() !== '' && !countingCode.test(code.slice(0, 2000))
}

const countingSources = anyOf('i', [
  /googletagmanager|google-analytics|\/gtag|\/ga\.js|cloudflareinsights|plausible|matomo|piwik|hotjar/,
  /segment\.(?:com|io)|facebook\.net|doubleclick|googlesyndication|adsbygoogle|statcounter|clarity\.ms/,
  /umami|usefathom|newrelic|mc\.yandex|hm\.baidu|addthis|sharethis|cookiebot|onetrust|cookieconsent/,
  /email-decode|recaptcha|hcaptcha|turnstile|html5shiv|respond(?:\.min)?\.js/,
])

const countingCode = anyOf('', [
  /\bgtag\s*\(|\bdataLayer\b|\b_gaq\b|GoogleAnalyticsObject|\bfbq\s*\(|\b_paq\b|\bym\s*\(|\bclarity\b/,
  /__CF\$cv\$params|_linkedin_partner_id|\b_hmt\b/,
])

/** No challenge, consent wall or script shell is known to have this much prose. */
const plenty = 2000

/** Looks at a page until there is no doubt that it has something to say. */
export function readPageSignals(tree: Tree): PageFacts {
  const facts = emptyPageSignals(tree)
  const reading: Reading = {
    ...{ facts, frames: noFrames(tree), heading: undefined, control: undefined },
    ...{ startsBlock: true, lastText: root },
  }
  for (let node = root + 1; node < tree.count && facts.prose < plenty; ) node = readNode(reading, node)
  if (facts.prose < plenty) closeBefore(reading, tree.count)
  facts.isPlenty = facts.prose >= plenty
  return facts
}

interface Reading {
  facts: PageFacts
  frames: Frames
  /** The heading, and the button or link, that is open. */
  heading: { text: string; end: Node } | undefined
  control: string | undefined
  startsBlock: boolean
  /** The last text that a block has. */
  lastText: Node
}

/** Gives the node to go on with. */
function readNode(reading: Reading, node: Node): Node {
  const { tree } = reading.facts
  closeBefore(reading, node)
  if (tagOf(tree, node) === 0) {
    addText(reading, node)
    return node + 1
  }
  const hasAttributes = tree.starts[node] !== tree.stops[node]
  if (hasAttributes) reading.facts.elements.push(node)
  if (isUnread(tree, node)) {
    readUnread(reading, node)
    return endOf(tree, node)
  }
  if (hasAttributes && reading.frames.mains > 0) reading.facts.mainElements.push(node)
  readElement(reading, node)
  return node + 1
}

function readElement(reading: Reading, node: Node): void {
  const { facts, frames } = reading
  const { tree } = facts
  const name = tagOf(tree, node)
  if (inlineTags[name] !== 1) reading.startsBlock = true
  if (name === tag.h1) isDoubtful(frames, 'h1')
  if ((name === tag.h1 || name === tag.h2) && hasEndTag(tree, node)) {
    reading.heading = { text: '', end: endOf(tree, node) }
  }
  if (name === tag.meta) {
    facts.refresh ??= refreshOf(tree, node)
    facts.isWrittenOut ||= isWrittenOut(tree, node)
  }
  if (name === tag.input) addField(reading, node)
  if (name === tag.img || name === tag.embed) addMedium(reading)
  if (!isContainer(tree, node)) return
  if (name === tag.a || name === tag.button) reading.control = ''
  openFrame(frames, node, facts)
}

/** Closes all that does not hold this node. */
function closeBefore(reading: Reading, node: Node): void {
  const { facts, frames } = reading
  if (reading.heading && reading.heading.end <= node) {
    facts.headings.push(reading.heading.text.replace(/\s+/g, ' ').trim())
    reading.heading = undefined
  }
  for (let closed = closeFrames(frames, node); closed.length > 0; closed = closeFrames(frames, node)) {
    const isOutermost = frames.surroundings === 0
    for (const frame of closed) {
      if (frame.tag === tag.a || frame.tag === tag.button) endControl(reading)
      settleFrame(facts, frame, { isOutermost })
    }
  }
}

function endControl(reading: Reading): void {
  if (reading.control !== undefined) reading.facts.controls.push(reading.control.trim())
  reading.control = undefined
}

const inlineTags = tagSet(`
  a abbr b bdi cite code em font i img kbd mark q s small span strong sub sup time u wbr
`)

/** Menus are made of shorter pieces. */
const sentence = 60

/** Enough for every rule; a page with more is judged by its lengths. */
const maxBlocks = 400

function addText(reading: Reading, node: Node): void {
  const { facts, frames } = reading
  const text = textAt(facts.tree, node)
  const length = textLength(text)
  if (length === 0) return
  if (reading.heading) reading.heading.text += text
  if (reading.control !== undefined) reading.control += text
  const isAround = frames.surroundings > 0
  const isLinked = frames.links > 0
  if (isAround) facts.around += length
  else if (isLinked) facts.linked += length
  else facts.prose += length
  if (isAround && !isLinked && length >= sentence) facts.proseAround += length
  if (isLinked && !isAround) return
  const blocks = isAround ? facts.blocksAround : facts.blocks
  const startsBlock = reading.startsBlock || endsBlock(facts.tree, reading.lastText, node)
  if ((startsBlock && blocks.length < maxBlocks) || blocks.length === 0) blocks.push(text)
  else blocks[blocks.length - 1] += text
  reading.startsBlock = false
  reading.lastText = node
}

/** Whether a block that holds one text ends before another. */
function endsBlock(tree: Tree, text: Node, next: Node): boolean {
  for (
    let node = parentOf(tree, text);
    node > root && endOf(tree, node) <= next;
    node = parentOf(tree, node)
  ) {
    if (inlineTags[tagOf(tree, node)] !== 1) return true
  }
  return false
}

function readUnread(reading: Reading, node: Node): void {
  const { facts } = reading
  const { tree } = facts
  const name = tagOf(tree, node)
  if (name === tag.title && facts.title === '') facts.title = textOf(tree, node).replace(/\s+/g, ' ').trim()
  if (name === tag.noscript) readNoscript(facts, node)
  if (name === tag.textarea) addField(reading, node)
  if (mediaTags[name] === 1) addMedium(reading)
  if (name !== tag.script) return
  const code = textOf(tree, node)
  if (code !== '') facts.code.push(code)
  if (couldWrite(tree, node, code)) facts.scripts += 1
}

const mediaTags = tagSet('iframe video audio object')

function addMedium({ facts, frames }: Reading): void {
  if (frames.surroundings === 0) facts.media += 1
}

function addField({ facts, frames }: Reading, node: Node): void {
  const field = fieldOf(facts.tree, node)
  if (field.button !== undefined) facts.controls.push(field.button)
  if (!field.isFillable || frames.surroundings > 0) return
  facts.fields += 1
  if (field.isPassword) facts.passwords += 1
}
