import { decodeHTML } from 'entities'
import { anyOf } from './any-of.ts'
import { attribute } from './attributes.ts'

/** Where a `<meta>` sends the visitor at once; some pages only load themselves anew every few minutes. */
export function refreshOf(attributes: string): string | undefined {
  if (!/http-equiv\s*=\s*["']?refresh/i.test(attributes)) return undefined
  const content = attribute(attributes, 'content')?.match(/^\s*(\d+)[\s;,]+(?:url\s*=\s*)?(.+)$/i)
  if (!content || Number(content[1]) > 10) return undefined
  return decodeHTML(content[2] ?? '').replace(/^["']|["']?\s*$/g, '')
}

export function fieldOf(attributes: string): {
  button: string | undefined
  isFillable: boolean
  isPassword: boolean
} {
  const type = attribute(attributes, 'type')?.toLowerCase() ?? 'text'
  return {
    button: type === 'submit' || type === 'button' ? attribute(attributes, 'value') : undefined,
    isFillable: fillableTypes.has(type) && !/captcha/i.test(attributes),
    isPassword: type === 'password',
  }
}

const fillableTypes = new Set(['text', 'email', 'password', 'search', 'tel', 'number', 'url', 'date'])

/** Whether an element has the shape of content that is still to come. */
export function isSkeleton(attributes: string): boolean {
  if (/aria-busy\s*=\s*["']?true/i.test(attributes)) return true
  return /skeleton|shimmer/i.test(attribute(attributes, 'class') ?? '')
}

/** Whether an element stands for content that is still to come. */
export function isPlaceholder(attributes: string): boolean {
  if (isSkeleton(attributes) || attribute(attributes, 'role') === 'progressbar') return true
  const names = `${attribute(attributes, 'id') ?? ''} ${attribute(attributes, 'class') ?? ''}`
  return /(?:^|[\s_-])(?:spinner|loader|loading)(?:$|[\s_-])/i.test(names)
}

/** Whether a tag names a generator of documentation that writes its pages out, however short they are. */
export function isWrittenOut(attributes: string): boolean {
  if (attribute(attributes, 'name')?.toLowerCase() !== 'generator') return false
  return writingGenerators.test(attribute(attributes, 'content') ?? '')
}

const writingGenerators = anyOf('i', [
  /^(?:docutils|sphinx|doxygen|javadoc|rustdoc|mdbook|mkdocs|exdoc|typedoc|rdoc|yard|pdoc)\b/,
  /^(?:makeinfo|texi2any|docbook|asciidoc(?:tor)?|gtk-doc|pandoc|publican|hevea|latex2html)\b/,
])
