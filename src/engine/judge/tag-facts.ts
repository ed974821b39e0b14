import { attribute } from './attributes.ts'

/** Where a `<meta>` sends the visitor at once; some pages only load themselves anew every few minutes. */
export function refreshOf(attributes: string): string | undefined {
  if (!/http-equiv\s*=\s*["']?refresh/i.test(attributes)) return undefined
  const content = attribute(attributes, 'content')?.match(/^\s*(\d+)[\s;,]+(?:url\s*=\s*)?(.+)$/i)
  return content && Number(content[1]) <= 10 ? content[2] : undefined
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
