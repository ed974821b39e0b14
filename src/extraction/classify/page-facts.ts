import { attr } from '../../content/tree/names.ts'
import { attribute, classOf, type Node, type Tree, writtenAttributes } from '../../content/tree/tree.ts'

/** Content amounts of a page so far, in characters of text or in elements. */
export interface Amounts {
  /** Characters of main text outside of links. */
  prose: number
  /** Characters of link text in the main part. */
  linked: number
  /** Characters of sentences outside of links, in elements that seem to surround the main part. */
  proseAround: number
  /** Number of images, videos and frames in the main part. */
  media: number
  /** Number of form fields in the main part that a visitor fills in, without CAPTCHA fields. */
  fields: number
}

/** Properties of a page for its classification. */
export interface PageFacts extends Amounts {
  tree: Tree
  /** True if the page has more than enough prose; the rest of the page was not read. */
  isPlenty: boolean
  /** True if the page names a documentation generator that renders complete pages. */
  isWrittenOut: boolean
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
  noscript: string
  passwords: number
  /** Number of scripts that may render the page. */
  scripts: number
  /** Number of empty elements that scripts fill: `<div id="root">`, and custom elements such as `<app-root>`. */
  emptyRoots: number
  emptyOwnRoots: number
  emptyTables: number
  mains: number
  emptyMains: number
  /** Number of root elements, main parts and articles with text. */
  filled: number
  /** Target of an immediate meta refresh. */
  refresh: string | undefined
  /** Target of an immediate meta refresh inside `noscript`. */
  noscriptRefresh: string | undefined
  /** Elements with attributes, and script code: the markup of the page without its text. */
  elements: Node[]
  /** Elements inside a main part or an article. */
  mainElements: Node[]
  code: string[]
}

export function emptyPageSignals(tree: Tree): PageFacts {
  return {
    tree,
    ...{ isPlenty: false, isWrittenOut: false, title: '', headings: [] },
    ...{ prose: 0, linked: 0, proseAround: 0, around: 0 },
    ...{ blocks: [], blocksAround: [], controls: [], noscript: '', media: 0, fields: 0, passwords: 0 },
    ...{ scripts: 0, emptyRoots: 0, emptyOwnRoots: 0, emptyTables: 0, mains: 0, emptyMains: 0, filled: 0 },
    ...{ refresh: undefined, noscriptRefresh: undefined, elements: [], mainElements: [], code: [] },
  }
}

/** Returns the target of an immediate `<meta>` refresh. Pages that only reload themselves after some minutes are ignored. */
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
    isFillable: fillableTypes.has(type) && !/captcha/i.test(writtenAttributes(tree, node)),
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
export function isWrittenOut(tree: Tree, node: Node): boolean {
  if (attribute(tree, node, attr.name)?.toLowerCase() !== 'generator') return false
  return documentationGenerators.test(attribute(tree, node, attr.content) ?? '')
}

const documentationGenerators = anyOf('i', [
  /^(?:docutils|sphinx|doxygen|javadoc|rustdoc|mdbook|mkdocs|exdoc|typedoc|rdoc|yard|pdoc)\b/,
  /^(?:makeinfo|texi2any|docbook|asciidoc(?:tor)?|gtk-doc|pandoc|publican|hevea|latex2html)\b/,
])

/** Returns the length of a text with whitespace collapsed. A Chinese, Japanese or Korean character counts as two letters. */
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
