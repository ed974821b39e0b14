import { attr } from '../../content/tree/names.ts'
import { attribute, classOf, type Node, type Tree, writtenAttributes } from '../../content/tree/tree.ts'

/** How much a page has shown so far, in characters of text or in pieces. */
export interface Amounts {
  /** Text of the main part outside of links. */
  prose: number
  /** Text of links in the main part. */
  linked: number
  /** Whole sentences outside of links in what seems to stand around the main part. */
  proseAround: number
  /** Pictures, films and frames in the main part. */
  media: number
  /** Fields of forms in the main part that a visitor is to fill in, other than those of a captcha. */
  fields: number
}

/** What the judge needs to know of a page. */
export interface PageFacts extends Amounts {
  tree: Tree
  /** More than enough prose: the rest of the page was not looked at. */
  isPlenty: boolean
  /** It names a generator of documentation that writes its pages out. */
  isWrittenOut: boolean
  title: string
  /** Of the first and second level. */
  headings: string[]
  /** All text around the main part: navigation, footers, dialogs and the like. */
  around: number
  /** The main text outside of links by blocks, and all text around it. */
  blocks: string[]
  blocksAround: string[]
  /** What is written on buttons and links. */
  controls: string[]
  noscript: string
  passwords: number
  /** Scripts that could write the page. */
  scripts: number
  /** Elements that scripts are to fill: `<div id="root">`, and those whose name is of the site's own, as `<app-root>`. */
  emptyRoots: number
  emptyOwnRoots: number
  emptyTables: number
  mains: number
  emptyMains: number
  /** Elements that scripts could have filled, main parts and articles, with text in them. */
  filled: number
  /** Where the page sends its visitors at once. */
  refresh: string | undefined
  /** The same for those without scripts. */
  noscriptRefresh: string | undefined
  /** Elements with attributes, and code of the scripts: what the page is made of, without what it says. */
  elements: Node[]
  /** Those inside a main part or an article. */
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

/** Where a `<meta>` sends the visitor at once; some pages only load themselves anew every few minutes. */
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

/** Whether an element has the shape of content that is still to come. */
export function isSkeleton(tree: Tree, node: Node): boolean {
  if (/^true/i.test(attribute(tree, node, attr['aria-busy']) ?? '')) return true
  return /skeleton|shimmer/i.test(classOf(tree, node) ?? '')
}

/** Whether an element stands for content that is still to come. */
export function isPlaceholder(tree: Tree, node: Node): boolean {
  if (isSkeleton(tree, node) || attribute(tree, node, attr.role) === 'progressbar') return true
  const names = `${attribute(tree, node, attr.id) ?? ''} ${classOf(tree, node) ?? ''}`
  return /(?:^|[\s_-])(?:spinner|loader|loading)(?:$|[\s_-])/i.test(names)
}

/** Whether a tag names a generator of documentation that writes its pages out, however short they are. */
export function isWrittenOut(tree: Tree, node: Node): boolean {
  if (attribute(tree, node, attr.name)?.toLowerCase() !== 'generator') return false
  return writingGenerators.test(attribute(tree, node, attr.content) ?? '')
}

const writingGenerators = anyOf('i', [
  /^(?:docutils|sphinx|doxygen|javadoc|rustdoc|mdbook|mkdocs|exdoc|typedoc|rdoc|yard|pdoc)\b/,
  /^(?:makeinfo|texi2any|docbook|asciidoc(?:tor)?|gtk-doc|pandoc|publican|hevea|latex2html)\b/,
])

/**
 * How much a text says: its characters, with runs of white space as one. A Chinese, Japanese or Korean
 * character says about as much as two letters.
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

/** One pattern for all of these, so that a text is walked once. */
export function anyOf(flags: string, patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
