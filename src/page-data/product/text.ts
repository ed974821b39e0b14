import { decodeHTML } from 'entities'
import { absoluteUrl } from '../../content/addresses.ts'
import { parseHtml } from '../../content/tree/parse.ts'
import { root, textOf } from '../../content/tree/tree.ts'

/** Descriptions come as HTML, escaped HTML or plain text; this is how they read. */
export function plainText(given: unknown, most = 20_000): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const written = String(given).slice(0, most * 4)
  // Twice, because templates escape what was escaped when it was stored.
  const decoded = written.includes('&') ? decodeHTML(decodeHTML(written)) : written
  // Blocks run into each other once their tags are gone.
  const spaced = decoded.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr)\b[^<>]{0,200}>/gi, '$& ')
  const text = /<[a-z!/]/i.test(spaced) ? textOf(parseHtml(spaced), root) : spaced
  return text.replace(/\s+/g, ' ').trim().slice(0, most) || undefined
}

export function address(given: unknown, base: string): string | undefined {
  if (typeof given !== 'string' || given.length > 4000) return undefined
  const url = absoluteUrl(given, base)
  return url && /^https?:/.test(url) ? url : undefined
}

/** Whether one of the titles, as `words` gives them, names this product, perhaps among other words. */
export function isNamed(name: string, titles: string[]): boolean {
  const own = words(name)
  if (own.length < 3) return false
  return titles.some((title) => {
    const isPart = ` ${title} `.includes(` ${own} `)
    // A title may be shorter than the full name, but one word of it names nothing.
    return isPart || (title.length >= 8 && title.includes(' ') && ` ${own} `.includes(` ${title} `))
  })
}

/** How a name reads once case and punctuation are left out. */
export function words(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
