import { decodeHTML } from 'entities'
import { closeFrames, doubtSurroundings, type Frames, isContainer, noFrames, openFrame } from './frames.ts'
import { scanHtml } from './html-scan.ts'
import { noFacts, type PageFacts } from './page-facts.ts'
import { scriptKind } from './script-kind.ts'
import { settleFrame } from './settle-frame.ts'
import { fieldOf, isWrittenOut, refreshOf } from './tag-facts.ts'
import { textLength } from './text-length.ts'

/** No challenge, consent wall or script shell is known to have so much prose. */
const plenty = 2000

/** Looks at a page until there is no doubt that it has something to say. */
export function readFacts(html: string): PageFacts {
  const facts = noFacts()
  const frames = noFrames()
  const reading: Reading = { facts, frames, heading: undefined, control: undefined, startsBlock: true }
  scanHtml(html, {
    startTag: (name, attributes) => startTag(reading, name, attributes),
    endTag: (name) => endTag(reading, name),
    text: (text) => addText(reading, text),
    rawElement: (name, attributes, inside) => rawElement(reading, { name, attributes, inside }),
    isDone: () => facts.prose >= plenty,
  })
  for (const frame of closeFrames(frames)) settleFrame(facts, frame, { hasEndTag: false, isOutermost: true })
  facts.isPlenty = facts.prose >= plenty
  return facts
}

interface Reading {
  facts: PageFacts
  frames: Frames
  /** The heading, and the button or link, that is open. */
  heading: string | undefined
  control: string | undefined
  startsBlock: boolean
}

function startTag(reading: Reading, name: string, attributes: string): void {
  const { facts, frames } = reading
  if (attributes.length > 1) {
    facts.attributes.push(attributes)
    if (frames.mains > 0) facts.mainAttributes.push(attributes)
  }
  if (!inlineNames.has(name)) reading.startsBlock = true
  if (name === 'h1') doubtSurroundings(frames, name)
  if (name === 'h1' || name === 'h2') reading.heading = ''
  if (name === 'meta') {
    facts.refresh ??= refreshOf(attributes)
    facts.isWrittenOut ||= isWrittenOut(attributes)
  }
  if (name === 'input') addField(reading, attributes)
  if (name === 'img' || name === 'embed') addMedium(reading)
  if (!isContainer(name)) return
  // A link that was never closed ends where the next one starts.
  if (name === 'a') endTag(reading, 'a')
  if (name === 'a' || name === 'button') reading.control = ''
  openFrame(frames, { name, attributes }, facts)
}

function endTag(reading: Reading, name: string): void {
  const { facts, frames } = reading
  if (!inlineNames.has(name)) reading.startsBlock = true
  if ((name === 'h1' || name === 'h2') && reading.heading !== undefined) {
    facts.headings.push(reading.heading.replace(/\s+/g, ' ').trim())
    reading.heading = undefined
  }
  if ((name === 'a' || name === 'button') && reading.control !== undefined) {
    facts.controls.push(reading.control.trim())
    reading.control = undefined
  }
  for (const frame of closeFrames(frames, name)) {
    settleFrame(facts, frame, { hasEndTag: frame.name === name, isOutermost: frames.surroundings === 0 })
  }
}

const inlineNames = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'cite', 'code', 'em', 'font', 'i', 'img', 'kbd', 'mark', 'q', 's', 'small'],
  ...['span', 'strong', 'sub', 'sup', 'time', 'u', 'wbr'],
])

/** Menus are made of shorter pieces. */
const sentence = 60

/** Enough for every rule; a page with more is judged by its lengths. */
const maxBlocks = 400

function addText(reading: Reading, raw: string): void {
  const text = raw.includes('&') ? decodeHTML(raw) : raw
  const length = textLength(text)
  if (length === 0) return
  const { facts, frames } = reading
  if (reading.heading !== undefined) reading.heading += text
  if (reading.control !== undefined) reading.control += text
  const isAround = frames.surroundings > 0
  const isLinked = frames.links > 0
  if (isAround) facts.around += length
  else if (isLinked) facts.linked += length
  else facts.prose += length
  if (isAround && !isLinked && length >= sentence) facts.proseAround += length
  if (isLinked && !isAround) return
  const blocks = isAround ? facts.blocksAround : facts.blocks
  if ((reading.startsBlock && blocks.length < maxBlocks) || blocks.length === 0) blocks.push(text)
  else blocks[blocks.length - 1] += text
  reading.startsBlock = false
}

function rawElement(reading: Reading, element: { name: string; attributes: string; inside: string }): void {
  const { facts } = reading
  const { name, attributes, inside } = element
  if (attributes.length > 1) facts.attributes.push(attributes)
  if (name === 'title' && facts.title === '') facts.title = decodeHTML(inside).replace(/\s+/g, ' ').trim()
  if (name === 'noscript') readNoscript(facts, inside)
  if (name === 'textarea') addField(reading, attributes)
  if (name === 'iframe' || name === 'video' || name === 'audio' || name === 'object') addMedium(reading)
  if (name !== 'script') return
  if (inside !== '') facts.code.push(inside)
  if (scriptKind(attributes, inside) === 'writes') facts.scripts += 1
}

/** Most of these hold only styles, or pictures that count visits. */
function readNoscript(facts: PageFacts, inside: string): void {
  const nothing = () => {}
  scanHtml(inside, {
    startTag(name, attributes) {
      if (name === 'meta') facts.noscriptRefresh ??= refreshOf(attributes)
    },
    text(text) {
      if (textLength(text) > 0) facts.noscript += `${decodeHTML(text)} `
    },
    endTag: nothing,
    rawElement: nothing,
    isDone: () => false,
  })
}

function addMedium({ facts, frames }: Reading): void {
  if (frames.surroundings === 0) facts.media += 1
}

function addField({ facts, frames }: Reading, attributes: string): void {
  const field = fieldOf(attributes)
  if (field.button !== undefined) facts.controls.push(field.button)
  if (!field.isFillable || frames.surroundings > 0) return
  facts.fields += 1
  if (field.isPassword) facts.passwords += 1
}
