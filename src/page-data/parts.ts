import type { JsonText } from '../base/json-text.ts'
import type { Content } from '../content/content.ts'
import { withoutFrameLinks } from '../content/diff-frames.ts'
import { audioCandidates, type MediaCandidate } from '../content/media/media.ts'
import type { PageMetadata } from '../content/metadata.ts'
import { type SiteLinks, siteLinks } from '../content/site/site-links.ts'
import { type AttributeValues, type AttributeWish, attributeValues } from './attribute-values.ts'
import { linksToFollow, type PageLinks } from './page-links.ts'
import { type FoundProduct, type Product, productOf } from './product.ts'
import { packFields } from './search/pack-fields.ts'
import { type SearchWish, searchFields } from './search/search-fields.ts'

/** Everything that can be derived from a page where it is read. */
export interface PartValues {
  metadata: PageMetadata
  markdown: string
  html: string
  rawHtml: string
  links: string[]
  images: string[]
  product: FoundProduct
  attributes: AttributeValues
  /** The Markdown by which versions of the page are compared. */
  tracked: string
  /** Recordings that the page may contain. */
  media: MediaCandidate[]
  /** The links for a crawl. */
  follow: PageLinks
  /** The data of a page for a map. */
  siteLinks: SiteLinks
}

export type PartName = keyof PartValues

/** The requested parts of a page, known before it is read. */
export type PartWishes = { [Name in Exclude<PartName, 'attributes'>]?: true } & {
  attributes?: readonly AttributeWish[]
  /** Made behind the others, so that nobody waits for it. */
  search?: SearchWish
}

export type MadeParts = {
  [Name in PartName]?: {
    value: PartValues[Name]
    /** The warnings of the content when the part was produced. */
    warnings: string[]
  }
}

/** A long text that is only passed on is JSON, serialised where the page was read. */
type Text = string | JsonText

/** The parts of a page, to be passed on. Only requested parts are present. */
export interface PageParts {
  metadata(): PageMetadata
  markdown(): Text
  html(): Text
  rawHtml(): Text
  links(): string[] | JsonText
  images(): string[] | JsonText
  product(): { ok: true; product: Product | JsonText } | Extract<FoundProduct, { ok: false }>
  attributes(): { found: (AttributeWish & { values: string[] })[] | JsonText } | { reason: string }
  /** A long one in UTF-8. */
  tracked(): string | Uint8Array
  media(): MediaCandidate[]
  follow(): PageLinks
  siteLinks(): SiteLinks
  /** What the page can be found by, packed; undefined where that was not wished for or could not be made. */
  search(): Promise<Uint8Array | undefined>
  /** Warnings about the parts that were read so far. */
  warnings(): string[]
}

// Metadata first: its warnings must not include those of other parts.
const order: PartName[] = [
  ...(['metadata', 'markdown', 'html', 'rawHtml', 'links', 'images', 'product'] as const),
  ...(['attributes', 'tracked', 'media', 'follow', 'siteLinks'] as const),
]

export function makeParts(content: Content, url: string, wishes: PartWishes): MadeParts {
  const make: { [Name in PartName]: () => PartValues[Name] } = {
    metadata: content.metadata,
    markdown: content.markdown,
    html: content.html,
    rawHtml: content.rawHtml,
    links: content.links,
    images: content.images,
    product: () => productOf(content.tree(), { url, base: content.base() }),
    attributes: () => attributeValues(content.tree(), wishes.attributes ?? []),
    tracked: () => withoutFrameLinks(content.markdown(), content.tree(), content.base()),
    media: () => audioCandidates(content),
    follow: () => linksToFollow(content, url),
    siteLinks: () => siteLinks(content.tree(), content.base()),
  }
  const wished = order.filter((name) => wishes[name] !== undefined)
  const made = wished.map((name) => [name, { value: make[name](), warnings: content.warnings() }])
  // Each name is paired with its value.
  return Object.fromEntries(made) as MadeParts
}

/** The part that is made behind the others. */
export function makeSearchPart(content: Content, url: string, wish: SearchWish): Uint8Array<ArrayBuffer> {
  return packFields(searchFields(content, url, wish))
}

/** The produced parts for code that passes them on; a warning appears when its part is read. */
export function pageParts(
  made: Partial<Record<PartName, { value: unknown; warnings: string[] }>>,
  search: PageParts['search'] = async () => undefined,
): PageParts {
  const warnings = new Set<string>()
  const parts = order.map((name) => [
    name,
    () => {
      const found = made[name]
      // Producing it here would block the event loop.
      if (!found) throw new Error(`The part "${name}" of a page was not wished for before it was read`)
      for (const warning of found.warnings) warnings.add(warning)
      return found.value
    },
  ])
  // The values are those of makeParts, or their equivalent in the form of this interface.
  return { ...Object.fromEntries(parts), search, warnings: () => [...warnings] } as PageParts
}
