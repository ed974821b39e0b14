import type { JsonText } from '../base/json-text.ts'
import type { Content } from '../content/content.ts'
import { withoutFrameLinks } from '../content/diff-frames.ts'
import { audioCandidates, type MediaCandidate } from '../content/media/media.ts'
import type { PageMetadata } from '../content/metadata.ts'
import { type SiteLinks, siteLinks } from '../content/site/site-links.ts'
import { type AttributeValues, type AttributeWish, attributeValues } from './attribute-values.ts'
import { linksToFollow, type PageLinks } from './page-links.ts'
import { type FoundProduct, type Product, productOf } from './product.ts'

/** Everything that can be made of a page where it is read. */
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
  /** Recordings that the page may be about. */
  media: MediaCandidate[]
  /** What a crawl follows. */
  follow: PageLinks
  /** What a map reads of a page. */
  siteLinks: SiteLinks
}

export type PartName = keyof PartValues

/** What is wanted of a page, known before it is read. */
export type PartWishes = { [Name in Exclude<PartName, 'attributes'>]?: true } & {
  attributes?: readonly AttributeWish[]
}

export type MadeParts = {
  [Name in PartName]?: {
    value: PartValues[Name]
    /** What the content had to say when the part was made. */
    warnings: string[]
  }
}

/** A text that is only handed on comes as JSON when it is long: written where the page was read. */
type Text = string | JsonText

/** What was made of a page, to be handed on. Only parts that were wished for are there. */
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
  /** What a reader of the result should know about the parts that were asked for so far. */
  warnings(): string[]
}

// Metadata first: what is noted of a page must not hold the warnings of what else was asked of it.
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
  // Each name stands beside what was made under it.
  return Object.fromEntries(made) as MadeParts
}

/** Made parts as those who hand them on see them; it warns of a part when that is asked for. */
export function pageParts(
  made: Partial<Record<PartName, { value: unknown; warnings: string[] }>>,
): PageParts {
  const warnings = new Set<string>()
  const parts = order.map((name) => [
    name,
    () => {
      const found = made[name]
      // Made here it would hold up everybody.
      if (!found) throw new Error(`The part "${name}" of a page was not wished for before it was read`)
      for (const warning of found.warnings) warnings.add(warning)
      return found.value
    },
  ])
  // The values are those of makeParts, or stand for them in the form that this interface names.
  return { ...Object.fromEntries(parts), warnings: () => [...warnings] } as PageParts
}
