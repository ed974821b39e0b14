import type { Excerpt } from '../select-content.ts'
import { attr, listedTags, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  endOf,
  hasAttribute,
  type Node,
  none,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { classMatches, says } from './class-name-rules.ts'
import { declarationAround, isDeclaration, isPrompt, looksLikeCode } from './code.ts'
import { languageLabel } from './language.ts'

/** Answers about nodes, found in one pass before anything is written: bits for each node. */

/** It is a block element, or contains one. */
export const isBlock = 1
export const holdsTable = 2
/** It says nothing in Markdown. */
export const isSilent = 4
export const isCallout = 8
/** It is written as a formula, whole. */
export const isFormula = 16
/** Its class marks it as a link beside a heading that leads to that heading. */
export const isPermalink = 32
export const isListing = 64
/** It refers to a footnote, or is one. */
export const isNote = 128
/** The declaration of a function or a type: one line of code, whatever it is made of. */
export const isSignature = 256
/** It is parted from what stands before it by a colon that only the style sheet shows. */
export const isClassifier = 512
/** A badge: nothing but its frame parts it from what stands beside it. */
export const isStandaloneBlock = 2048
/** A table whose cells follow one another without rows. */
export const isGrid = 1024

/** Code in a line, and slanted words, by their class alone. */
export const isCodeSpan = 8192
export const isItalic = 16384

export interface Facts {
  of: Uint16Array
  /** Something on the page looks as if there were footnotes. */
  mayHaveNotes: boolean
  /** Something on the page looks as if there were tabs. */
  mayHaveTabs: boolean
}

const blockTags = tagSet(`
  address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
  figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li listing main menu nav
  ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp
`)

const silentTags = tagSet(`
  area base canvas col colgroup datalist embed frame head link meta meter noembed noframes optgroup
  option param progress rp script select source style svg template textarea title track
`)

/** Where the name alone does not tell. */
const unsureTags = tagSet('a input math noscript object script sup')

export function readFacts(excerpt: Excerpt): Facts {
  const facts: Facts = {
    of: new Uint16Array(excerpt.tree.count),
    mayHaveNotes: false,
    mayHaveTabs: false,
  }
  const { tree } = excerpt
  const { title } = excerpt
  if (title !== none) readSubtree(facts, excerpt, title, tree.ends[title] ?? tree.count)
  for (const node of excerpt.kept) readSubtree(facts, excerpt, node, tree.ends[node] ?? tree.count)
  return facts
}

function readSubtree(facts: Facts, excerpt: Excerpt, start: Node, end: Node): void {
  const { tree, skipped } = excerpt
  const { tags, ends, starts, stops } = tree
  let at = start
  while (at < end) {
    if (skipped[at] === 1) {
      facts.of[at] = isSilent
      at = ends[at] ?? end
      continue
    }
    const name = tags[at] ?? 0
    if (name === 0) {
      at += 1
      continue
    }
    let found = silentTags[name] === 1 ? isSilent : blockTags[name] === 1 ? isBlock : 0
    if (unsureTags[name] === 1) found = unsureFacts(facts, excerpt, at)
    if (starts[at] !== stops[at] && found !== isSilent) found |= classFacts(facts, tree, at)
    if ((found & isSilent) !== 0) {
      facts.of[at] = isSilent
      at = ends[at] ?? end
      continue
    }
    facts.of[at] = (facts.of[at] ?? 0) | found
    if ((found & isBlock) !== 0) addToAncestors(facts.of, tree, at, isBlock)
    if (name === tag.table) addToAncestors(facts.of, tree, at, holdsTable)
    if (name === tag.pre) for (const label of languageLabel(tree, at)) facts.of[label] = isSilent
    at += 1
  }
}

function addToAncestors(facts: Uint16Array, { parents }: Tree, node: Node, fact: number): void {
  let at = parents[node] ?? 0
  while (at > 0 && ((facts[at] ?? 0) & fact) === 0) {
    facts[at] = (facts[at] ?? 0) | fact
    at = parents[at] ?? 0
  }
}

function unsureFacts(facts: Facts, { tree, readsNoscript }: Excerpt, node: Node): number {
  switch (tree.tags[node]) {
    case tag.math:
      return attribute(tree, node, attr.display) === 'block' ? isFormula | isBlock : isFormula
    case tag.script: {
      const type = attribute(tree, node, attr.type) ?? ''
      if (!type.startsWith('math/tex')) return isSilent
      return type.includes('display') ? isFormula | isBlock : isFormula
    }
    case tag.noscript:
      return readsNoscript ? 0 : isSilent
    case tag.object:
      return saysMuch(tree, node) ? isBlock : isSilent
    case tag.sup:
      facts.mayHaveNotes = true
      return 0
    case tag.a:
      facts.mayHaveNotes ||= isShortLinkInPage(tree, node)
      return 0
    default:
      return attribute(tree, node, attr.type)?.toLowerCase() === 'checkbox' ? 0 : isSilent
  }
}

/** Longer than the excuse for what a browser cannot show. */
const longExcuse = 300

/** Whether an object holds a part of the page, as one that is never closed does. */
function saysMuch(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxNumbers)
  let length = 0
  for (let at = node + 1; at < end && length < longExcuse; at += 1) {
    if (tree.tags[at] === 0) length += textAt(tree, at).trim().length
  }
  return length >= longExcuse
}

/** A link to a place on the page that shows a number or little more. */
function isShortLinkInPage(tree: Tree, node: Node): boolean {
  const text = node + 1
  if (tree.tags[text] !== 0 || (tree.stops[text] ?? 0) - Math.max(0, tree.starts[text] ?? 0) > 6) return false
  return attribute(tree, node, attr.href)?.startsWith('#') === true
}

/** More nodes than line numbers of any listing; a page of nested ones must not be read again and again. */
const maxNumbers = 5000

function holdsNoLetter(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxNumbers)
  for (let at = node + 1; at < end; at += 1) {
    if (tree.tags[at] === 0 && /\p{L}/u.test(textAt(tree, at))) return false
  }
  return true
}

/** What parts a link that goes from the text before it goes too. */
function silenceSeparator(facts: Uint16Array, tree: Tree, node: Node): void {
  const before = node - 1
  if (tree.tags[before] === 0 && before > 0 && /^\s*[·|]\s*$/.test(textAt(tree, before))) {
    facts[before] = isSilent
  }
}

function classFacts(facts: Facts, tree: Tree, node: Node): number {
  const bits = classMatches(tree, node)
  if (bits === 0) return 0
  const name = tree.tags[node] ?? 0
  if ((bits & says.footnotes) !== 0) facts.mayHaveNotes = true
  if ((bits & says.tabs) !== 0) facts.mayHaveTabs = true
  // On a listing such a class says how it is shown, not what it is.
  const isShown = name === tag.pre || name === tag.code
  if ((bits & says.silent) !== 0 && !isShown) {
    silenceSeparator(facts.of, tree, node)
    return isSilent
  }
  if ((bits & says.numbers) !== 0 && !isShown && holdsNoLetter(tree, node)) return isSilent
  if ((bits & says.prompt) !== 0 && isPrompt(tree, node)) return isSilent
  if ((bits & says.repeatsFormula) !== 0 && tree.parents[node] !== node - 1) return isSilent
  if ((bits & says.awaitsFormula) !== 0 && isBeforeScript(tree, node)) return isSilent
  if ((bits & says.formula) !== 0 && texAttribute(tree, node) !== undefined) {
    const isDisplay = (bits & says.isDisplay) !== 0 || name === tag.div
    return isDisplay ? isFormula | isBlock : isFormula
  }
  let found = 0
  if ((bits & says.callout) !== 0) found |= isCallout
  if ((bits & says.permalink) !== 0) found |= isPermalink
  if ((bits & says.listing) !== 0 && looksLikeCode(tree, node)) found |= isListing | isBlock
  if ((bits & says.classifier) !== 0) found |= isClassifier
  if ((bits & says.apart) !== 0) found |= isStandaloneBlock
  if ((bits & says.lines) !== 0) {
    const end = endOf(tree, node)
    for (let at = node + 1; at < end; at = endOf(tree, at)) {
      if (tree.tags[at] === tag.span) facts.of[at] = isStandaloneBlock
    }
  }
  if ((bits & says.code) !== 0 && name === tag.span) found |= isCodeSpan
  if ((bits & says.emphasis) !== 0 && name === tag.span) found |= isItalic
  if ((bits & says.grid) !== 0) found |= isGrid
  if ((bits & says.signature) !== 0 && isDeclaration(tree, node)) found |= isSignature
  if ((bits & says.partOfSignature) !== 0) {
    const around = declarationAround(tree, node)
    if (around !== none) facts.of[around] = (facts.of[around] ?? 0) | isSignature
  }
  return found
}

/** The formula an element carries in an attribute, for a script that draws it. */
export function texAttribute(tree: Tree, node: Node): string | undefined {
  for (const name of ['data-latex', 'data-tex', 'data-math', 'data-expr', 'data-value', 'data-formula']) {
    const tex = attributeNamed(tree, node, name)?.trim()
    if (tex) return tex
  }
  if (tree.tags[node] !== tag.img) return undefined
  const alt = attribute(tree, node, attr.alt)?.trim()
  return alt && (alt.length < 3 || /[\\^_{}=]/.test(alt)) ? alt : undefined
}

function isBeforeScript(tree: Tree, node: Node): boolean {
  let next = tree.ends[node] ?? tree.count
  // The script follows at once, or behind a blank.
  if (tree.tags[next] === 0) next += 1
  if (tree.tags[next] !== tag.script || tree.parents[next] !== tree.parents[node]) return false
  return hasAttribute(tree, next, attr.type) && attribute(tree, next, attr.type)?.startsWith('math/') === true
}

/** Elements of a page's own making: their names are in no list. */
export const isCustom = (name: number) => name >= listedTags.length
