import { attr } from '../../content/tree/names.ts'
import { attribute, classOf, type Node, type Tree, writtenAttributes } from '../../content/tree/tree.ts'
import { anyOf } from './any-of.ts'

/** Where a `<meta>` sends the visitor at once; some pages only load themselves anew every few minutes. */
export function refreshOf(tree: Tree, node: Node): string | undefined {
  if (!/^\s*refresh/i.test(attribute(tree, node, attr['http-equiv']) ?? '')) return undefined
  const content = attribute(tree, node, attr.content)?.match(/^\s*(\d+)[\s;,]+(?:url\s*=\s*)?(.+)$/i)
  if (!content || Number(content[1]) > 10) return undefined
  return (content[2] ?? '').replace(/^["']|["']?\s*$/g, '')
}

export function fieldOf(
  tree: Tree,
  node: Node,
): { button: string | undefined; isFillable: boolean; isPassword: boolean } {
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
