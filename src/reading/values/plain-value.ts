import { decodeHTML } from 'entities'
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
