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

/** Facts about nodes as bits, computed in one pass before writing. */

/** A block element, or an element that contains one. */
export const isBlock = 1
export const holdsTable = 2
/** An element without output in Markdown. */
export const isSilent = 4
export const isCallout = 8
/** An element that is written as one formula. */
export const isFormula = 16
/** A link next to a heading that links to this heading, identified by its class. */
export const isPermalink = 32
export const isListing = 64
/** A footnote, or a reference to one. */
export const isNote = 128
/** The declaration of a function or a type: one line of code, with any markup. */
export const isSignature = 256
/** An element that only a style sheet separates with a colon from the preceding text. */
export const isClassifier = 512
/** A badge: only its border separates it from adjacent text. */
export const isStandaloneBlock = 2048
/** A table whose cells follow one another without rows. */
export const isGrid = 1024

/** Inline code and italic text, identified by class only. */
export const isCodeSpan = 8192
export const isItalic = 16384

export interface Facts {
  of: Uint16Array
  /** True if the page may have footnotes. */
  mayHaveNotes: boolean
  /** True if the page may have tabs. */
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

/** Tags that need more checks. */
const checkedTags = tagSet('a input math noscript object script sup')

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
    let fact = silentTags[name] === 1 ? isSilent : blockTags[name] === 1 ? isBlock : 0
    if (checkedTags[name] === 1) fact = checkElement(facts, excerpt, at)
    if (starts[at] !== stops[at] && fact !== isSilent) fact |= readClassFacts(facts, tree, at)
    if ((fact & isSilent) !== 0) {
      facts.of[at] = isSilent
      at = ends[at] ?? end
      continue
    }
    facts.of[at] = (facts.of[at] ?? 0) | fact
    if ((fact & isBlock) !== 0) addToAncestors(facts.of, tree, at, isBlock)
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

function checkElement(facts: Facts, { tree, readsNoscript }: Excerpt, node: Node): number {
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
      return hasContent(tree, node) ? isBlock : isSilent
    case tag.sup:
      facts.mayHaveNotes = true
      return 0
    case tag.a:
      facts.mayHaveNotes ||= isShortFragmentLink(tree, node)
      return 0
    default:
      return attribute(tree, node, attr.type)?.toLowerCase() === 'checkbox' ? 0 : isSilent
  }
}

/** Minimum length of text that is content; a shorter one is the fallback for unsupported objects. */
const minObjectText = 300

/** Returns true if an object contains a part of the page, for example because it is never closed. */
function hasContent(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxReadNodes)
  let length = 0
  for (let at = node + 1; at < end && length < minObjectText; at += 1) {
    if (tree.tags[at] === 0) length += textAt(tree, at).trim().length
  }
  return length >= minObjectText
}

/** Returns true for a link to a fragment of the page with a number or similarly short text. */
function isShortFragmentLink(tree: Tree, node: Node): boolean {
  const text = node + 1
  if (tree.tags[text] !== 0 || (tree.stops[text] ?? 0) - Math.max(0, tree.starts[text] ?? 0) > 6) return false
  return attribute(tree, node, attr.href)?.startsWith('#') === true
}

/** Maximum number of nodes to read. Line numbers of a listing are fewer, and it bounds the time for nested listings. */
const maxReadNodes = 5000

function hasNoLetter(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxReadNodes)
  for (let at = node + 1; at < end; at += 1) {
    if (tree.tags[at] === 0 && /\p{L}/u.test(textAt(tree, at))) return false
  }
  return true
}

/** Ignores a separator text before an ignored link. */
function ignoreSeparator(facts: Uint16Array, tree: Tree, node: Node): void {
  const before = node - 1
  if (tree.tags[before] === 0 && before > 0 && /^\s*[·|]\s*$/.test(textAt(tree, before))) {
    facts[before] = isSilent
  }
}

function readClassFacts(facts: Facts, tree: Tree, node: Node): number {
  const bits = classMatches(tree, node)
  if (bits === 0) return 0
  const name = tree.tags[node] ?? 0
  if ((bits & says.footnotes) !== 0) facts.mayHaveNotes = true
  if ((bits & says.tabs) !== 0) facts.mayHaveTabs = true
  // On a listing, such a class describes its display, not its content.
  const isCodeElement = name === tag.pre || name === tag.code
  if ((bits & says.silent) !== 0 && !isCodeElement) {
    ignoreSeparator(facts.of, tree, node)
    return isSilent
  }
  if ((bits & says.numbers) !== 0 && !isCodeElement && hasNoLetter(tree, node)) return isSilent
  if ((bits & says.prompt) !== 0 && isPrompt(tree, node)) return isSilent
  if ((bits & says.repeatsFormula) !== 0 && tree.parents[node] !== node - 1) return isSilent
  if ((bits & says.awaitsFormula) !== 0 && isBeforeScript(tree, node)) return isSilent
  if ((bits & says.formula) !== 0 && texAttribute(tree, node) !== undefined) {
    const isDisplay = (bits & says.isDisplay) !== 0 || name === tag.div
    return isDisplay ? isFormula | isBlock : isFormula
  }
  let classFact = 0
  if ((bits & says.callout) !== 0) classFact |= isCallout
  if ((bits & says.permalink) !== 0) classFact |= isPermalink
  if ((bits & says.listing) !== 0 && looksLikeCode(tree, node)) classFact |= isListing | isBlock
  if ((bits & says.classifier) !== 0) classFact |= isClassifier
  if ((bits & says.apart) !== 0) classFact |= isStandaloneBlock
  if ((bits & says.lines) !== 0) {
    const end = endOf(tree, node)
    for (let at = node + 1; at < end; at = endOf(tree, at)) {
      if (tree.tags[at] === tag.span) facts.of[at] = isStandaloneBlock
    }
  }
  if ((bits & says.code) !== 0 && name === tag.span) classFact |= isCodeSpan
  if ((bits & says.emphasis) !== 0 && name === tag.span) classFact |= isItalic
  if ((bits & says.grid) !== 0) classFact |= isGrid
  if ((bits & says.signature) !== 0 && isDeclaration(tree, node)) classFact |= isSignature
  if ((bits & says.partOfSignature) !== 0) {
    const declarationNode = declarationAround(tree, node)
    if (declarationNode !== none) facts.of[declarationNode] = (facts.of[declarationNode] ?? 0) | isSignature
  }
  return classFact
}

/** Returns the formula that an element has in an attribute, for a script that renders it. */
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
  // The script follows directly, or after white space.
  if (tree.tags[next] === 0) next += 1
  if (tree.tags[next] !== tag.script || tree.parents[next] !== tree.parents[node]) return false
  return hasAttribute(tree, next, attr.type) && attribute(tree, next, attr.type)?.startsWith('math/') === true
}

/** Returns true for a custom element, whose name is not listed. */
export const isCustom = (name: number) => name >= listedTags.length
