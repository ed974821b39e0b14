import { attr } from '../../content/tree/names.ts'
import { attribute, classOf, type Node, type Tree } from '../../content/tree/tree.ts'

export interface Amounts {
  prose: number
  linked: number
  /** Sentences outside of links, in elements that probably surround the main part. */
  proseAround: number
  media: number
  fields: number
}

export type PageFacts = ReturnType<typeof emptyPageFacts>

export function emptyPageFacts(tree: Tree) {
  return {
    ...{ tree, prose: 0, linked: 0, proseAround: 0, media: 0, fields: 0 },
    /** True if the page needs no further checks; the rest of it was then not read. */
    hasEnoughProse: false,
    isGeneratedDocumentation: false,
    title: '',
    headings: [] as string[],
    around: 0,
    ...{ blocks: [] as string[], blocksAround: [] as string[] },
    controls: [] as string[],
    ...{ noscript: '', passwords: 0, scripts: 0 },
    /** `emptyRoots`: number of empty elements whose id shows that scripts fill them: `<div id="root">`. */
    ...{ emptyRoots: 0, emptyCustomElements: 0, emptyTables: 0, mainCount: 0, emptyMainCount: 0 },
    /** Number of root elements, main parts and articles with text. */
    filledCount: 0,
    /** Targets of a meta refresh. */
    ...{ refresh: undefined as string | undefined, noscriptRefresh: undefined as string | undefined },
    ...{ elements: [] as Node[], mainElements: [] as Node[], code: [] as string[] },
  }
}

/** A refresh after more than 10 seconds is ignored. */
export function refreshOf(tree: Tree, node: Node): string | undefined {
  if (!/^\s*refresh/i.test(attribute(tree, node, attr['http-equiv']) ?? '')) return undefined
  const content = attribute(tree, node, attr.content)?.match(/^\s*(\d+)[\s;,]+(?:url\s*=\s*)?(.+)$/i)
  if (!content || Number(content[1]) > 10) return undefined
  return (content[2] ?? '').replace(/^["']|["']?\s*$/g, '')
}

export function isSkeleton(tree: Tree, node: Node): boolean {
  if (/^true/i.test(attribute(tree, node, attr['aria-busy']) ?? '')) return true
  return /skeleton|shimmer/i.test(classOf(tree, node) ?? '')
}

export function isPlaceholder(tree: Tree, node: Node): boolean {
  if (isSkeleton(tree, node) || attribute(tree, node, attr.role) === 'progressbar') return true
  const names = `${attribute(tree, node, attr.id) ?? ''} ${classOf(tree, node) ?? ''}`
  return /(?:^|[\s_-])(?:spinner|loader|loading)(?:$|[\s_-])/i.test(names)
}

/** These generators render complete pages, however short they are. */
export function isGeneratedDocumentation(tree: Tree, node: Node): boolean {
  if (attribute(tree, node, attr.name)?.toLowerCase() !== 'generator') return false
  return documentationGenerators.test(attribute(tree, node, attr.content) ?? '')
}

const documentationGenerators = anyOf('i', [
  /^(?:docutils|sphinx|doxygen|javadoc|rustdoc|mdbook|mkdocs|exdoc|typedoc|rdoc|yard|pdoc)\b/,
  /^(?:makeinfo|texi2any|docbook|asciidoc(?:tor)?|gtk-doc|pandoc|publican|hevea|latex2html)\b/,
])

/** Length with collapsed whitespace. A Chinese, Japanese or Korean character counts as two letters. */
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

/** Combines several patterns, so that a text is scanned only once. */
export function anyOf(flags: string, patterns: RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
