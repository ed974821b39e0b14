import { isHidingAttribute } from '../../content/hidden.ts'
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

export interface Frame {
  tag: number
  end: Node
  hasEndTag: boolean
  isCustomElement: boolean
  /** Why the container surrounds the main part. A reason by class name is dropped if the main part is inside. */
  surrounding: Traits['surrounding']
  isLink: boolean
  isMain: boolean
  isRoot: boolean
  before: Amounts
}

export type Frames = ReturnType<typeof createFrames>

export function createFrames(tree: Tree) {
  return {
    ...{ tree, open: [] as Frame[], links: 0, mainCount: 0, surroundings: 0 },
    /** Surroundings that are based on a class or id only. */
    uncertainSurroundings: 0,
    traitsOf: traitsReader(tree),
  }
}

export function isContainer(tree: Tree, node: Node): boolean {
  return containerTags[tagOf(tree, node)] === 1 || isCustomElementTag(tree, node)
}

const containerTags = tagSet(`
  html body div section main article nav header footer aside dialog ul ol form table tbody a button
`)

function isCustomElementTag(tree: Tree, node: Node): boolean {
  return tree.otherTags[tagOf(tree, node) - listedTags.length]?.includes('-') ?? false
}

export function openFrame(frames: Frames, node: Node, before: Amounts): void {
  const { tree } = frames
  const name = tagOf(tree, node)
  // Traits of links are skipped: links are numerous, their classes differ, and rarely indicate a role.
  const traits = name === tag.a ? noTraits : frames.traitsOf(node)
  const isMain = name === tag.main || name === tag.article || traits.isMain
  if (isMain) clearSurroundings(frames, name === tag.article ? 'article' : 'main')
  const isCustomElement = isCustomElementTag(tree, node)
  const { prose, linked, proseAround, media, fields } = before
  const frame: Frame = {
    tag: name,
    end: endOf(tree, node),
    hasEndTag: hasEndTag(tree, node),
    isCustomElement,
    surrounding: surroundingOf(name, traits, frames),
    isLink: name === tag.a && hasAttribute(tree, node, attr.href),
    isMain,
    isRoot: isCustomElement
      ? frames.open.every((outer) => outer.tag === tag.html || outer.tag === tag.body)
      : traits.isRoot,
    before: { prose, linked, proseAround, media, fields },
  }
  frames.open.push(frame)
  count(frames, frame, 1)
}

/** Closes the containers that end before this node, up to the first with an end tag. Returns them, innermost first. */
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

/** Shared constant, because this is the result for almost every node. */
const noneClosed: readonly Frame[] = []

/** If an open container contains the main part, its class is misleading, or an end tag is missing. */
export function clearSurroundings(frames: Frames, mainKind: 'main' | 'article' | 'h1'): void {
  if ((mainKind === 'main' ? frames.surroundings : frames.uncertainSurroundings) === 0) return
  for (const frame of frames.open) {
    const isMisleading = mainKind === 'main' ? frame.tag !== tag.dialog : frame.surrounding !== 'element'
    if (!frame.surrounding || !isMisleading) continue
    countSurrounding(frames, frame, -1)
    frame.surrounding = undefined
  }
}

function count(frames: Frames, frame: Frame, step: 1 | -1): void {
  if (frame.isLink) frames.links += step
  if (frame.isMain) frames.mainCount += step
  countSurrounding(frames, frame, step)
}

function countSurrounding(frames: Frames, { surrounding }: Frame, step: 1 | -1): void {
  if (surrounding) frames.surroundings += step
  if (surrounding && surrounding !== 'element') frames.uncertainSurroundings += step
}

function surroundingOf(name: number, traits: Traits, frames: Frames): Traits['surrounding'] {
  if (surroundingTags[name] === 1) return 'element'
  // Inside an article, header and footer contain its title and notes.
  if ((name === tag.header || name === tag.footer) && frames.mainCount === 0) return 'element'
  return contentTags[name] === 1 ? undefined : traits.surrounding
}

/** The text of a button is not content. */
const surroundingTags = tagSet('nav aside dialog button')
const contentTags = tagSet('html body main article')

/** `foot` and `name` are based on the class or id alone: a footer or dialog, or navigation. */
interface Traits {
  surrounding: 'element' | NameRole
  isMain: boolean
  /** Scripts usually fill an element with this id. */
  isRoot: boolean
}

type NameRole = 'foot' | 'name' | undefined

const noTraits: Traits = { surrounding: undefined, isMain: false, isRoot: false }

function traitsReader(tree: Tree): (node: Node) => Traits {
  const rolesByName = new Map<string, NameRole>()
  const cachedRole = (names: string): NameRole => {
    if (!rolesByName.has(names)) rolesByName.set(names, roleByName(names))
    return rolesByName.get(names)
  }
  return (node) => {
    const stop = tree.stops[node] ?? 0
    let [role, id, classes, isHidden] = ['', '', '', false]
    for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
      const name = tree.attributes.names[at]
      if (name === attr.class) classes ||= attributeValue(tree, at)
      else if (name === attr.id) id ||= attributeValue(tree, at)
      else if (name === attr.role) role ||= attributeValue(tree, at)
      else isHidden ||= isHidingAttribute(tree, at)
    }
    // React streams parts of a page as hidden elements with such an id, and shows them later.
    const isSeparate = surroundingRoles.has(role) || (isHidden && !/^[SB]:/.test(id))
    return {
      surrounding: isSeparate ? 'element' : strongerRole(cachedRole(id), cachedRole(classes)),
      isMain: role === 'main',
      isRoot: relevantName.test(id) && rootIds.test(id),
    }
  }
}

const strongerRole = (one: NameRole, other: NameRole): NameRole => (one === 'foot' ? one : (other ?? one))

function roleByName(names: string): NameRole {
  if (!relevantName.test(names)) return undefined
  if (footWords.test(names)) return 'foot'
  return navigationWords.test(names) ? 'name' : undefined
}

const surroundingRoles = new Set([
  ...['navigation', 'banner', 'contentinfo', 'complementary', 'search', 'dialog', 'alertdialog', 'button'],
])

const footNouns = 'footer|cookies?|consent|gdpr|cc-window|modal|popup|newsletter|preloader'
const navigationNouns = 'nav|navbar|navigation|menu|sidebar|breadcrumbs?|masthead|social|share|skip-link'
const rootNouns = 'root|app|next|nuxt|gatsby|svelte|mount|application'

/** Skips other names with one scan. Case-sensitive for speed. */
const relevantName = new RegExp(`${rootNouns}|${footNouns}|${navigationNouns}`)

const fullWords = (nouns: string) => new RegExp(`(?:^|[\\s_-])(?:${nouns})(?:$|[\\s_-])`, 'i')
const footWords = fullWords(footNouns)
const navigationWords = fullWords(navigationNouns)

const rootIds = new RegExp(
  `^(?:_*(?:${rootNouns})|\\w+[-_](?:root|app|mount)|(?:react|vue|ember|spa|main|web)(?:root|app|mount)|` +
    'app[-_](?:root|mount|container|content|wrapper|main))$',
  'i',
)
