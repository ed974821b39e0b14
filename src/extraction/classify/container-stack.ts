import { hides } from '../../content/hidden.ts'
import { attr, listedTags, tag, tagSet } from '../../content/tree/names.ts'
import {
  attributeValue,
  endOf,
  hasAttribute,
  hasEndTag,
  type Node,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import type { Amounts } from './page-facts.ts'

/** An open container. */
export interface Frame {
  tag: number
  /** The first node behind it. */
  end: Node
  hasEndTag: boolean
  /** Its name is one of the site's own, as `<app-root>`. */
  isOwn: boolean
  /** Why it stands around the main part. The words in a class are doubted when the main part is inside. */
  surrounding: Traits['surrounding']
  isLink: boolean
  isMain: boolean
  isRoot: boolean
  /** The amounts when it was opened. */
  before: Amounts
}

export interface Frames {
  tree: Tree
  open: Frame[]
  /** How many are open, by kind. */
  links: number
  mains: number
  surroundings: number
  /** Those of the surroundings that only a word makes so. */
  doubtful: number
  traitsOf: (node: Node) => Traits
}

export function noFrames(tree: Tree): Frames {
  return { tree, open: [], links: 0, mains: 0, surroundings: 0, doubtful: 0, traitsOf: traitsReader(tree) }
}

/** Elements whose borders matter. */
export function isContainer(tree: Tree, node: Node): boolean {
  return containers[tagOf(tree, node)] === 1 || isOwnName(tree, node)
}

const containers = tagSet(`
  html body div section main article nav header footer aside dialog ul ol form table tbody a button
`)

function isOwnName(tree: Tree, node: Node): boolean {
  return tree.otherTags[tagOf(tree, node) - listedTags.length]?.includes('-') ?? false
}

export function openFrame(frames: Frames, node: Node, before: Amounts): void {
  const { tree } = frames
  const name = tagOf(tree, node)
  // Links are many, no two are alike, and what they are called says little.
  const traits = name === tag.a ? noTraits : frames.traitsOf(node)
  const isMain = name === tag.main || name === tag.article || traits.isMain
  if (isMain) isDoubtful(frames, name === tag.article ? 'article' : 'main')
  const isOwn = isOwnName(tree, node)
  const { prose, linked, proseAround, media, fields } = before
  const frame: Frame = {
    tag: name,
    end: endOf(tree, node),
    hasEndTag: hasEndTag(tree, node),
    isOwn,
    surrounding: surroundingOf(name, traits, frames),
    isLink: name === tag.a && hasAttribute(tree, node, attr.href),
    isMain,
    isRoot: isOwn ? isAtTop(frames) : traits.isRoot,
    before: { prose, linked, proseAround, media, fields },
  }
  frames.open.push(frame)
  count(frames, frame, 1)
}

/**
 * Closes what ends before this node, up to what an end tag closed with all inside it; gives these, innermost first. None where
 * all that is open goes on.
 */
export function closeFrames(frames: Frames, node: Node): readonly Frame[] {
  let frame = frames.open.at(-1)
  if (!frame || frame.end > node) return noneClosed
  const closed: Frame[] = []
  for (; frame && frame.end <= node; frame = frames.open.at(-1)) {
    frames.open.pop()
    count(frames, frame, -1)
    closed.push(frame)
    if (frame.hasEndTag) break
  }
  return closed
}

/** Asked for every node of a page, and mostly the answer. */
const noneClosed: readonly Frame[] = []

/** What holds the main part does not stand around it: a word misled, or an end tag is missing. */
export function isDoubtful(frames: Frames, found: 'main' | 'article' | 'h1'): void {
  if ((found === 'main' ? frames.surroundings : frames.doubtful) === 0) return
  for (const frame of frames.open) {
    const isRefuted = found === 'main' ? frame.tag !== tag.dialog : frame.surrounding !== 'element'
    if (!frame.surrounding || !isRefuted) continue
    countSurrounding(frames, frame, -1)
    frame.surrounding = undefined
  }
}

function count(frames: Frames, frame: Frame, step: 1 | -1): void {
  if (frame.isLink) frames.links += step
  if (frame.isMain) frames.mains += step
  countSurrounding(frames, frame, step)
}

function countSurrounding(frames: Frames, { surrounding }: Frame, step: 1 | -1): void {
  if (surrounding) frames.surroundings += step
  if (surrounding && surrounding !== 'element') frames.doubtful += step
}

function surroundingOf(name: number, traits: Traits, frames: Frames): Traits['surrounding'] {
  if (surroundingTags[name] === 1) return 'element'
  // Within an article these hold its title and its notes.
  if ((name === tag.header || name === tag.footer) && frames.mains === 0) return 'element'
  return keptTags[name] === 1 ? undefined : traits.surrounding
}

/** The words on a button are no content. */
const surroundingTags = tagSet('nav aside dialog button')
const keptTags = tagSet('html body main article')

const isAtTop = (frames: Frames) =>
  !frames.open.some((frame) => frame.tag !== tag.html && frame.tag !== tag.body)

/**
 * What the attributes of a container tell of it. `foot` and `name` mean that only a word in its class or id
 * does: a footer or dialog, or navigation.
 */
interface Traits {
  surrounding: 'element' | Called
  isMain: boolean
  /** Whether scripts usually fill an element with this id. */
  isRoot: boolean
}

type Called = 'foot' | 'name' | undefined

const noTraits: Traits = { surrounding: undefined, isMain: false, isRoot: false }

/** Elements of one page repeat their classes, so each text is looked at once. */
function traitsReader(tree: Tree): (node: Node) => Traits {
  const known = new Map<string, Called>()
  const called = (names: string): Called => {
    if (!known.has(names)) known.set(names, calledBy(names))
    return known.get(names)
  }
  return (node) => {
    const stop = tree.stops[node] ?? 0
    let [role, id, classes, isHidden] = ['', '', '', false]
    for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
      const name = tree.attributes.names[at]
      if (name === attr.class) classes ||= attributeValue(tree, at)
      else if (name === attr.id) id ||= attributeValue(tree, at)
      else if (name === attr.role) role ||= attributeValue(tree, at)
      else isHidden ||= hides(tree, at)
    }
    // Parts that React sends late come hidden, and the page itself moves them to their place.
    const isPutAside = roles.has(role) || (isHidden && !/^[SB]:/.test(id))
    return {
      surrounding: isPutAside ? 'element' : firmer(called(id), called(classes)),
      isMain: role === 'main',
      isRoot: mayMatter.test(id) && rootIds.test(id),
    }
  }
}

const firmer = (one: Called, other: Called): Called => (one === 'foot' ? one : (other ?? one))

function calledBy(names: string): Called {
  if (!mayMatter.test(names)) return undefined
  if (footWords.test(names)) return 'foot'
  return navigationWords.test(names) ? 'name' : undefined
}

const roles = new Set([
  ...['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'button'],
])

const footNouns = 'footer|cookies?|consent|gdpr|cc-window|modal|popup|newsletter|preloader'
const navigationNouns = 'nav|navbar|navigation|menu|sidebar|breadcrumbs?|masthead|social|share|skip-link'
const rootNouns = 'root|app|next|nuxt|gatsby|svelte|mount|application'

/** One look at all words, because most names have none of them; capitals would make it slow. */
const mayMatter = new RegExp(`${rootNouns}|${footNouns}|${navigationNouns}`)

const wholeWords = (nouns: string) => new RegExp(`(?:^|[\\s_-])(?:${nouns})(?:$|[\\s_-])`, 'i')
const footWords = wholeWords(footNouns)
const navigationWords = wholeWords(navigationNouns)

const rootIds = new RegExp(
  `^(?:_*(?:${rootNouns})|\\w+[-_](?:root|app|mount)|(?:react|vue|ember|spa|main|web)(?:root|app|mount)|` +
    'app[-_](?:root|mount|container|content|wrapper|main))$',
  'i',
)
