import { Parser } from 'htmlparser2'

export interface Enclosure {
  address: string
  mediaType: string
}

const mostEnclosures = 200

/** The enclosures of a feed (RSS or Atom), in order; empty for any other text. */
export function enclosuresOf(text: string): Enclosure[] {
  if (!isFeed(text)) return []
  const found: Enclosure[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const address = enclosureAddress(name, attributes)
        if (address === undefined || found.length >= mostEnclosures) return
        found.push({ address, mediaType: attributes.type?.trim().toLowerCase() ?? '' })
      },
    },
    { xmlMode: true },
  )
  parser.end(text)
  return found
}

function isFeed(text: string): boolean {
  const start = text.slice(0, 4096).replace(/^(?:\s+|<!--[\s\S]*?-->|<[?!][^>]*>)+/, '')
  return /^<(?:rss|feed|rdf:rdf)[\s>]/i.test(start)
}

function enclosureAddress(name: string, attributes: Record<string, string>): string | undefined {
  if (name === 'enclosure') return attributes.url
  if (name === 'link' || name === 'atom:link') {
    return attributes.rel === 'enclosure' ? attributes.href : undefined
  }
  const isMedia =
    name === 'media:content' && /^(?:audio|video)/.test(attributes.medium ?? attributes.type ?? '')
  return isMedia ? attributes.url : undefined
}
