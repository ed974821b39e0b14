import { Parser } from 'htmlparser2'
import { type ProviderAnswer, ProviderFailure } from './provider.ts'
import { refuseStatus } from './read-answer.ts'

/** The texts of an entry by the names of their elements, without a prefix; of several with one name the first. */
export interface FeedEntry {
  link?: string
  texts: Map<string, string>
  authors: string[]
  /** Of Atom, which has them as attributes. */
  categories: string[]
}

const mostEntries = 250
const mostCharacters = 20_000

/** The entries of a feed (RSS or Atom), in order. */
export function readFeed(answer: ProviderAnswer, name: string): FeedEntry[] {
  refuseStatus(answer, name)
  const reader = feedReader()
  reader.parser.end(answer.body)
  if (!reader.isWhole())
    throw new ProviderFailure('changed', `${name} answered with something that is no whole feed`)
  return reader.entries
}

function feedReader() {
  const entries: FeedEntry[] = []
  const path: string[] = []
  let root = ''
  let isWhole = false
  let entry: FeedEntry | undefined
  let text = ''
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified)
        if (path.length === 0) root ||= name
        if (isEntry(name)) entry = { texts: new Map(), authors: [], categories: [] }
        else if (
          entry &&
          name === 'link' &&
          (attributes.rel ?? 'alternate') === 'alternate' &&
          attributes.href
        )
          entry.link ??= attributes.href
        else if (entry && name === 'category' && attributes.term) entry.categories.push(attributes.term)
        path.push(name)
        text = ''
      },
      ontext(part) {
        if (text.length < mostCharacters) text += part
      },
      onclosetag(_, isImplied) {
        const name = path.pop() ?? ''
        if (path.length === 0) isWhole = (root === 'rss' || root === 'feed') && name === root && !isImplied
        if (entry && isEntry(name)) {
          if (entries.length < mostEntries) entries.push(entry)
          entry = undefined
        } else if (entry && isEntry(path.at(-1) ?? '')) addText(entry, name, text.trim())
        else if (entry && name === 'name' && path.at(-1) === 'author') entry.authors.push(text.trim())
        text = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  return { parser, entries, isWhole: () => isWhole }
}

function isEntry(name: string): boolean {
  return name === 'item' || name === 'entry'
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1)
}

function addText(entry: FeedEntry, name: string, text: string): void {
  if (text === '') return
  if (name === 'link') entry.link ??= text
  if (!entry.texts.has(name)) entry.texts.set(name, text)
}
