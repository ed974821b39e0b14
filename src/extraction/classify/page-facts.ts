import { attr } from '../../content/tree/names.ts'
import { attribute, attributesSource, classOf, type Node, type Tree } from '../../content/tree/tree.ts'

/** Content amounts of a page so far, in characters of text or in elements. */
export interface Amounts {
  /** Characters of main text outside of links. */
  prose: number
  /** Characters of link text in the main part. */
  linked: number
  /** Characters of sentences outside of links, in elements that probably surround the main part. */
  proseAround: number
  /** Number of images, videos and frames in the main part. */
  media: number
  /** Number of form fields in the main part that a visitor fills in, without CAPTCHA fields. */
  fields: number
}

/** Properties of a page for its classification. */
export interface PageFacts extends Amounts {
  tree: Tree
  /** True if the page has so much prose that it needs no further checks; the rest of the page was not read. */
  hasEnoughProse: boolean
  /** True if the page names a documentation generator that renders complete pages. */
  isGeneratedDocumentation: boolean
  title: string
  /** Texts of h1 and h2 headings. */
  headings: string[]
  /** Characters of all text around the main part: navigation, footers, dialogs. */
  around: number
  /** Text blocks of the main part outside of links, and of the parts around it. */
  blocks: string[]
  blocksAround: string[]
  /** Texts of buttons and links. */
  controls: string[]
  /** Text in `noscript` elements. */
  noscript: string
  /** Number of password fields. */
  passwords: number
  /** Number of scripts that may render the page. */
  scripts: number
  /** Number of empty elements that scripts fill, by their id: `<div id="root">`. */
  emptyRoots: number
  /** Number of empty custom elements, such as `<app-root>`. */
  emptyCustomElements: number
  emptyTables: number
  /** Number of main parts. */
  mainCount: number
  emptyMainCount: number
  /** Number of root elements, main parts and articles with text. */
  filledCount: number
  /** Target of an immediate meta refresh. */
  refresh: string | undefined
  /** Target of an immediate meta refresh inside `noscript`. */
  noscriptRefresh: string | undefined
  /** Elements with attributes. Together with `code`, they are the markup of the page without its text. */
  elements: Node[]
  /** Elements inside a main part or an article. */
  mainElements: Node[]
  /** Code of inline scripts. */
  code: string[]
}

export function emptyPageSignals(tree: Tree): PageFacts {
  return {
    tree,
    ...{ hasEnoughProse: false, isGeneratedDocumentation: false, title: '', headings: [] },
    ...{ prose: 0, linked: 0, proseAround: 0, around: 0 },
    ...{ blocks: [], blocksAround: [], controls: [], noscript: '', media: 0, fields: 0, passwords: 0 },
    ...{
      scripts: 0,
      emptyRoots: 0,
      emptyCustomElements: 0,
      emptyTables: 0,
      mainCount: 0,
      emptyMainCount: 0,
      filledCount: 0,
    },
    ...{ refresh: undefined, noscriptRefresh: undefined, elements: [], mainElements: [], code: [] },
  }
}

/** Returns the target of an immediate `<meta>` refresh. A refresh after more than 10 seconds is ignored. */
export function refreshOf(tree: Tree, node: Node): string | undefined {
  if (!/^\s*refresh/i.test(attribute(tree, node, attr['http-equiv']) ?? '')) return undefined
  const content = attribute(tree, node, attr.content)?.match(/^\s*(\d+)[\s;,]+(?:url\s*=\s*)?(.+)$/i)
  if (!content || Number(content[1]) > 10) return undefined
  return (content[2] ?? '').replace(/^["']|["']?\s*$/g, '')
}

export function fieldOf(tree: Tree, node: Node) {
  const type = attribute(tree, node, attr.type)?.toLowerCase() ?? 'text'
  return {
    button: type === 'submit' || type === 'button' ? attribute(tree, node, attr.value) : undefined,
    isFillable: fillableTypes.has(type) && !/captcha/i.test(attributesSource(tree, node)),
    isPassword: type === 'password',
  }
}

const fillableTypes = new Set(['text', 'email', 'password', 'search', 'tel', 'number', 'url', 'date'])

/** True if an element is styled as a skeleton for content that is loading. */
export function isSkeleton(tree: Tree, node: Node): boolean {
  if (/^true/i.test(attribute(tree, node, attr['aria-busy']) ?? '')) return true
  return /skeleton|shimmer/i.test(classOf(tree, node) ?? '')
}

/** True if an element is a placeholder for content that is loading. */
export function isPlaceholder(tree: Tree, node: Node): boolean {
  if (isSkeleton(tree, node) || attribute(tree, node, attr.role) === 'progressbar') return true
  const names = `${attribute(tree, node, attr.id) ?? ''} ${classOf(tree, node) ?? ''}`
  return /(?:^|[\s_-])(?:spinner|loader|loading)(?:$|[\s_-])/i.test(names)
}

/** True if a tag names a documentation generator that renders complete pages, however short they are. */
export function isGeneratedDocumentation(tree: Tree, node: Node): boolean {
  if (attribute(tree, node, attr.name)?.toLowerCase() !== 'generator') return false
  return documentationGenerators.test(attribute(tree, node, attr.content) ?? '')
}

const documentationGenerators = anyOf('i', [
  /^(?:docutils|sphinx|doxygen|javadoc|rustdoc|mdbook|mkdocs|exdoc|typedoc|rdoc|yard|pdoc)\b/,
  /^(?:makeinfo|texi2any|docbook|asciidoc(?:tor)?|gtk-doc|pandoc|publican|hevea|latex2html)\b/,
])

/**
 * Returns the length of a text with whitespace collapsed. A Chinese, Japanese or Korean character counts as two
 * letters.
 */
export function textLength(text: string): number {
  let length = 0
  let isAfterSpace = true
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const isSpace = code <= 32 || code === 160 || (code >= 0x20_0b && code <= 0x20_0d) || code === 0xfe_ff
    if (!isSpace) length += code >= 0x2e_80 && code <= 0xff_ef ? 2 : 1
    else if (!isAfterSpace) length += 1
    isAfterSpace = isSpace
  }
  return isAfterSpace && length > 0 ? length - 1 : length
}

/** Combines patterns into one, so that a text is scanned once. */
export function anyOf(flags: string, patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
