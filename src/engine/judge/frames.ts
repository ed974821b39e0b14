import type { Amounts } from './page-facts.ts'
import { noTraits, type Traits, traitsReader } from './traits.ts'

/** An open container. */
export interface Frame {
  name: string
  /** Why it stands around the main part. The words in a class are doubted when the main part is inside. */
  surrounding: Traits['surrounding']
  isLink: boolean
  isMain: boolean
  isRoot: boolean
  /** The amounts when it was opened. */
  before: Amounts
}

export interface Frames {
  open: Frame[]
  /** How many are open, by name and by kind. */
  counts: Map<string, number>
  links: number
  mains: number
  surroundings: number
  /** Those of the surroundings that only a word makes so. */
  doubtful: number
  traitsOf: (attributes: string) => Traits
}

export function noFrames(): Frames {
  return {
    open: [],
    counts: new Map(),
    links: 0,
    mains: 0,
    surroundings: 0,
    doubtful: 0,
    traitsOf: traitsReader(),
  }
}

/** Elements whose borders matter; paragraphs, cells and the like are too often left open. */
export const isContainer = (name: string) => containers.has(name) || name.includes('-')

const containers = new Set([
  ...['html', 'body', 'div', 'section', 'main', 'article', 'nav', 'header', 'footer', 'aside', 'dialog'],
  ...['ul', 'ol', 'form', 'table', 'tbody', 'a', 'button'],
])

/** Deep enough for any page made for people; what lies deeper would only cost time. */
const maxDepth = 512

export function openFrame(frames: Frames, tag: { name: string; attributes: string }, before: Amounts): void {
  const { name, attributes } = tag
  if (frames.open.length >= maxDepth) return
  // Links are many, no two are alike, and what they are called says little.
  const traits = name === 'a' ? noTraits : frames.traitsOf(attributes)
  const isMain = name === 'main' || name === 'article' || traits.isMain
  if (isMain) doubtSurroundings(frames, name === 'article' ? name : 'main')
  const { prose, linked, proseAround, media, fields } = before
  const frame: Frame = {
    name,
    surrounding: surroundingOf(name, traits, frames),
    isLink: name === 'a' && /href/i.test(attributes),
    isMain,
    isRoot: name.includes('-') ? isAtTop(frames) : traits.isRoot,
    before: { prose, linked, proseAround, media, fields },
  }
  frames.open.push(frame)
  count(frames, frame, 1)
}

/** Closes the innermost of this name and all inside it, or all; gives them, innermost first. */
export function closeFrames(frames: Frames, name?: string): Frame[] {
  const closed: Frame[] = []
  if (name !== undefined && !frames.counts.get(name)) return closed
  for (let frame = frames.open.pop(); frame; frame = frames.open.pop()) {
    count(frames, frame, -1)
    closed.push(frame)
    if (frame.name === name) break
  }
  return closed
}

/** What holds the main part does not stand around it: a word misled, or an end tag is missing. */
export function doubtSurroundings(frames: Frames, found: string): void {
  if ((found === 'main' ? frames.surroundings : frames.doubtful) === 0) return
  for (const frame of frames.open) {
    const isRefuted = found === 'main' ? frame.name !== 'dialog' : frame.surrounding !== 'element'
    if (!frame.surrounding || !isRefuted) continue
    countSurrounding(frames, frame, -1)
    frame.surrounding = undefined
  }
}

function count(frames: Frames, frame: Frame, step: 1 | -1): void {
  frames.counts.set(frame.name, (frames.counts.get(frame.name) ?? 0) + step)
  if (frame.isLink) frames.links += step
  if (frame.isMain) frames.mains += step
  countSurrounding(frames, frame, step)
}

function countSurrounding(frames: Frames, { surrounding }: Frame, step: 1 | -1): void {
  if (surrounding) frames.surroundings += step
  if (surrounding && surrounding !== 'element') frames.doubtful += step
}

function surroundingOf(name: string, traits: Traits, frames: Frames): Traits['surrounding'] {
  if (surroundingNames.has(name)) return 'element'
  // Within an article these hold its title and its notes.
  if ((name === 'header' || name === 'footer') && frames.mains === 0) return 'element'
  return keptNames.has(name) ? undefined : traits.surrounding
}

/** The words on a button are no content. */
const surroundingNames = new Set(['nav', 'aside', 'dialog', 'button'])
const keptNames = new Set(['html', 'body', 'main', 'article'])

const isAtTop = (frames: Frames) =>
  !frames.open.some((frame) => frame.name !== 'html' && frame.name !== 'body')
