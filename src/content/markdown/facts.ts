import type { Excerpt } from '../select-content.ts'
import { attr, listedTags, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  endOf,
  findNode,
  type Node,
  none,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { classMeanings, getClassMeaning } from './class-name-rules.ts'
import { findDeclarationAround, isDeclaration, isPrompt, looksLikeCode } from './code.ts'
import { findLanguageLabels } from './language.ts'

export const blockBit = 1
export const tableAncestorBit = 2
export const silentBit = 4
export const calloutBit = 8
export const formulaBit = 16
/** A link next to a heading that links to this heading, identified by its class. */
export const permalinkBit = 32
export const listingBit = 64
export const noteBit = 128
/** The declaration of a function or a type: one line of code, with any markup. */
export const signatureBit = 256
/** An element that only a style sheet separates with a colon from the preceding text. */
export const classifierBit = 512
export const standaloneBlockBit = 2048
export const gridBit = 1024
export const codeSpanBit = 8192
export const italicBit = 16384

export interface Facts {
  bits: Uint16Array
  mayHaveNotes: boolean
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

const checkedTags = tagSet('a input math noscript object script sup')

export function readFacts(excerpt: Excerpt): Facts {
  const { tree, title, kept } = excerpt
  const facts: Facts = { bits: new Uint16Array(tree.count), mayHaveNotes: false, mayHaveTabs: false }
  const parts = title === none ? kept : [title, ...kept]
  for (const part of parts) readSubtree(facts, excerpt, part, endOf(tree, part))
  return facts
}

function readSubtree(facts: Facts, excerpt: Excerpt, start: Node, end: Node): void {
  const { tree, skipped } = excerpt
  const { tags, ends, starts, stops } = tree
  let at = start
  while (at < end) {
    if (skipped[at] === 1) {
      facts.bits[at] = silentBit
      at = ends[at] ?? end
      continue
    }
    const name = tags[at] ?? 0
    if (name === 0) {
      at += 1
      continue
    }
    let fact = silentTags[name] === 1 ? silentBit : blockTags[name] === 1 ? blockBit : 0
    if (checkedTags[name] === 1) fact = checkElement(facts, excerpt, at)
    if (starts[at] !== stops[at] && fact !== silentBit) fact |= readClassFacts(facts, tree, at)
    if ((fact & silentBit) !== 0) {
      facts.bits[at] = silentBit
      at = ends[at] ?? end
      continue
    }
    facts.bits[at] = (facts.bits[at] ?? 0) | fact
    if ((fact & blockBit) !== 0) addToAncestors(facts.bits, tree, at, blockBit)
    if (name === tag.table) addToAncestors(facts.bits, tree, at, tableAncestorBit)
    if (name === tag.pre) for (const label of findLanguageLabels(tree, at)) facts.bits[label] = silentBit
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
      return attribute(tree, node, attr.display) === 'block' ? formulaBit | blockBit : formulaBit
    case tag.script: {
      const type = attribute(tree, node, attr.type) ?? ''
      if (!type.startsWith('math/tex')) return silentBit
      return type.includes('display') ? formulaBit | blockBit : formulaBit
    }
    case tag.noscript:
      return readsNoscript ? 0 : silentBit
    case tag.object:
      return hasContent(tree, node) ? blockBit : silentBit
    case tag.sup:
      facts.mayHaveNotes = true
      return 0
    case tag.a:
      facts.mayHaveNotes ||= isShortFragmentLink(tree, node)
      return 0
    default:
      return attribute(tree, node, attr.type)?.toLowerCase() === 'checkbox' ? 0 : silentBit
  }
}

/** Minimum length of text that is content; a shorter one is the fallback for unsupported objects. */
const minObjectText = 300

function hasContent(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxReadNodes)
  let length = 0
  for (let at = node + 1; at < end && length < minObjectText; at += 1) {
    if (tree.tags[at] === 0) length += textAt(tree, at).trim().length
  }
  return length >= minObjectText
}

function isShortFragmentLink(tree: Tree, node: Node): boolean {
  const text = node + 1
  if (tree.tags[text] !== 0 || (tree.stops[text] ?? 0) - Math.max(0, tree.starts[text] ?? 0) > 6) return false
  return attribute(tree, node, attr.href)?.startsWith('#') === true
}

/** Maximum number of nodes to read: more than the line numbers of a listing, but fast for nested listings. */
const maxReadNodes = 5000

function hasNoLetter(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxReadNodes)
  return findNode(node + 1, end, (at) => tree.tags[at] === 0 && /\p{L}/u.test(textAt(tree, at))) === none
}

function ignoreSeparator(facts: Uint16Array, tree: Tree, node: Node): void {
  const before = node - 1
  if (tree.tags[before] === 0 && before > 0 && /^\s*[·|]\s*$/.test(textAt(tree, before))) {
    facts[before] = silentBit
  }
}

function readClassFacts(facts: Facts, tree: Tree, node: Node): number {
  const bits = getClassMeaning(tree, node)
  if (bits === 0) return 0
  const name = tree.tags[node] ?? 0
  if ((bits & classMeanings.footnotes) !== 0) facts.mayHaveNotes = true
  if ((bits & classMeanings.tabs) !== 0) facts.mayHaveTabs = true
  // On a listing, such a class describes its display, not its content.
  const isCodeElement = name === tag.pre || name === tag.code
  if ((bits & classMeanings.silent) !== 0 && !isCodeElement) {
    ignoreSeparator(facts.bits, tree, node)
    return silentBit
  }
  if ((bits & classMeanings.numbers) !== 0 && !isCodeElement && hasNoLetter(tree, node)) return silentBit
  if ((bits & classMeanings.prompt) !== 0 && isPrompt(tree, node)) return silentBit
  if ((bits & classMeanings.repeatsFormula) !== 0 && tree.parents[node] !== node - 1) return silentBit
  if ((bits & classMeanings.awaitsFormula) !== 0 && isBeforeScript(tree, node)) return silentBit
  if ((bits & classMeanings.formula) !== 0 && getTexAttribute(tree, node) !== undefined) {
    const isDisplay = (bits & classMeanings.isDisplay) !== 0 || name === tag.div
    return isDisplay ? formulaBit | blockBit : formulaBit
  }
  let classFact = 0
  if ((bits & classMeanings.callout) !== 0) classFact |= calloutBit
  if ((bits & classMeanings.permalink) !== 0) classFact |= permalinkBit
  if ((bits & classMeanings.listing) !== 0 && looksLikeCode(tree, node)) classFact |= listingBit | blockBit
  if ((bits & classMeanings.classifier) !== 0) classFact |= classifierBit
  if ((bits & classMeanings.apart) !== 0) classFact |= standaloneBlockBit
  if ((bits & classMeanings.lines) !== 0) {
    const end = endOf(tree, node)
    for (let at = node + 1; at < end; at = endOf(tree, at)) {
      if (tree.tags[at] === tag.span) facts.bits[at] = standaloneBlockBit
    }
  }
  if ((bits & classMeanings.code) !== 0 && name === tag.span) classFact |= codeSpanBit
  if ((bits & classMeanings.emphasis) !== 0 && name === tag.span) classFact |= italicBit
  if ((bits & classMeanings.grid) !== 0) classFact |= gridBit
  if ((bits & classMeanings.signature) !== 0 && isDeclaration(tree, node)) classFact |= signatureBit
  if ((bits & classMeanings.partOfSignature) !== 0) {
    const declarationNode = findDeclarationAround(tree, node)
    if (declarationNode !== none)
      facts.bits[declarationNode] = (facts.bits[declarationNode] ?? 0) | signatureBit
  }
  return classFact
}

export function getTexAttribute(tree: Tree, node: Node): string | undefined {
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
  if (tree.tags[next] === 0) next += 1
  if (tree.tags[next] !== tag.script || tree.parents[next] !== tree.parents[node]) return false
  return attribute(tree, next, attr.type)?.startsWith('math/') === true
}

export const isCustom = (name: number) => name >= listedTags.length
