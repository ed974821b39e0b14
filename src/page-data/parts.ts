import { type NowOrLater, once } from '../base/functions.ts'
import type { JsonText } from '../base/json.ts'
import type { Content } from '../content/content.ts'
import { withoutFrameLinks } from '../content/links.ts'
import { audioCandidates, type MediaCandidate } from '../content/media/media.ts'
import type { PageMetadata } from '../content/metadata.ts'
import { select } from '../content/select.ts'
import { type SiteLinks, siteLinks } from '../content/site/site-links.ts'
import type { TextAccount, TextBlock } from '../content/text-account.ts'
import { selectorWriter } from '../content/tree/selector-writer.ts'
import { attributeNamed, type Tree } from '../content/tree/tree.ts'
import type { FoundPassages, PassageWish } from '../reading/passages/find-passages.ts'
import type { ReadJson } from '../reading/read-json.ts'
import { linksToFollow, type PageLinks } from './page-links.ts'
import type { Gist } from './page-text.ts'
import { type FoundProduct, type Product, productOf } from './product.ts'
import { type Redaction, redact } from './redaction.ts'
import { packFields, type SearchWish, searchFields } from './search/search-fields.ts'
import type { TrackedValues } from './tracked-values.ts'

/** Everything that can be derived from a page where it is read. */
interface PartValues {
  metadata: PageMetadata
  markdown: string
  html: string
  rawHtml: string
  links: string[]
  images: string[]
  product: FoundProduct
  attributes: AttributeValues
  /** What the page says of a schema. */
  json: ReadJson
  /** The Markdown by which versions of the page are compared. */
  tracked: string
  /** The values by which they are compared. */
  trackedValues: TrackedValues
  /** Recordings that the page may contain. */
  media: MediaCandidate[]
  /** The sentences that may answer each query. */
  passages: FoundPassages[]
  /** The page in a few sentences. */
  gist: Gist
  /** The links for a crawl. */
  follow: PageLinks
  /** The data of a page for a map. */
  siteLinks: SiteLinks
  /** How much of the text became content. */
  account: TextAccount
  /** What became of each block of the page. */
  blocks: PageBlocks
}

export type PartName = keyof PartValues

/** The requested parts of a page, known before it is read. */
export type PartWishes = {
  [Name in Exclude<PartName, 'attributes' | 'json' | 'trackedValues' | 'passages'>]?: true
} & {
  attributes?: readonly AttributeWish[]
  json?: { schema: unknown }
  trackedValues?: { schema: unknown }
  passages?: readonly PassageWish[]
  /** Personal data is taken out of every text that comes from the Markdown. */
  redaction?: Redaction
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
  json(): Omit<ReadJson, 'value' | 'evidence'> & { value: unknown; evidence: ReadJson['evidence'] | JsonText }
  /** A long one in UTF-8. */
  tracked(): string | Uint8Array
  /** Likewise. */
  trackedValues(): Omit<TrackedValues, 'values'> & { values: string | Uint8Array }
  media(): MediaCandidate[]
  passages(): FoundPassages[]
  gist(): Gist
  follow(): PageLinks
  siteLinks(): SiteLinks
  account(): TextAccount
  blocks(): { blocks: PageBlock[] | JsonText; count: number | undefined }
  /** What the page can be found by, packed; undefined where that was not wished for or could not be made. */
  search(): Promise<Uint8Array | undefined>
  /** Warnings about the parts that were read so far. */
  warnings(): string[]
}

// Metadata first: its warnings must not include those of other parts.
const order: PartName[] = [
  ...(['metadata', 'markdown', 'html', 'rawHtml', 'links', 'images', 'product'] as const),
  ...(['attributes', 'tracked', 'media', 'follow', 'siteLinks', 'account', 'blocks'] as const),
  ...(['json', 'trackedValues', 'passages', 'gist'] as const),
]

/** Parts whose code or data is loaded when a page is first asked for them: threads that never are would hold it as well. */
const later = ['json', 'trackedValues', 'passages', 'gist'] as const
type LaterName = (typeof later)[number]

type Makers<Name extends PartName> = { [One in Name]: () => PartValues[One] }

export function makeParts(content: Content, url: string, wishes: PartWishes): NowOrLater<MadeParts> {
  const { redaction } = wishes
  const text = once(() => (redaction ? redact(content.markdown(), redaction).text : content.markdown()))
  const make: Makers<Exclude<PartName, LaterName>> = {
    metadata: content.metadata,
    markdown: text,
    html: content.html,
    rawHtml: content.rawHtml,
    links: content.links,
    images: content.images,
    product: () => productOf(content.tree(), { url, base: content.base() }),
    attributes: () => attributeValues(content.tree(), wishes.attributes ?? []),
    tracked: () => withoutFrameLinks(text(), content.tree(), content.base()),
    media: () => audioCandidates(content),
    follow: () => linksToFollow(content, url),
    siteLinks: () => siteLinks(content.tree(), content.base()),
    account: content.account,
    blocks: () => pageBlocks(content),
  }
  const made = wishedParts(make, wishes, content)
  const isLater = later.some((name) => wishes[name] !== undefined)
  return isLater ? withLaterParts(made, { content, text, url }, wishes) : made
}

function wishedParts(make: Partial<Makers<PartName>>, wishes: PartWishes, content: Content): MadeParts {
  const made: Record<string, { value: unknown; warnings: string[] }> = {}
  for (const name of order) {
    const value = wishes[name] === undefined ? undefined : make[name]
    if (value) made[name] = { value: value(), warnings: content.warnings() }
  }
  // Each name has a value of its own type.
  return made as MadeParts
}

async function withLaterParts(
  made: MadeParts,
  { content, text, url }: { content: Content; text: () => string; url: string },
  wishes: PartWishes,
): Promise<MadeParts> {
  const make = {
    ...(wishes.json || wishes.trackedValues ? await valueMakers(content, url, wishes) : {}),
    ...(wishes.passages || wishes.gist ? await sentenceMakers({ ...content, markdown: text }, wishes) : {}),
  }
  return { ...made, ...wishedParts(make, wishes, content) }
}

async function valueMakers(content: Content, url: string, wishes: PartWishes) {
  const { readJson } = await import('../reading/read-json.ts')
  const { trackedValues } = await import('./tracked-values.ts')
  const { language = '', title = '' } = content.metadata()
  const context = { url, base: content.base(), language, title }
  const { redaction } = wishes
  return {
    json: () => readJson(content.tree(), wishes.json?.schema, context),
    trackedValues: () => trackedValues(content.tree(), wishes.trackedValues?.schema, { context, redaction }),
  }
}

async function sentenceMakers(content: Content, wishes: PartWishes) {
  const { gistOf, passagesFor, readPageText } = await import('./page-text.ts')
  const sentences = await readPageText(content)
  return {
    passages: () => passagesFor(sentences, wishes.passages ?? []),
    gist: () => gistOf(sentences, content),
  }
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

type PageBlock = Omit<TextBlock, 'holder'> & { selector: string }

interface PageBlocks {
  blocks: PageBlock[]
  /** How many the page has; undefined if it is not HTML. */
  count: number | undefined
}

/** The blocks of a page, with where each stands. */
function pageBlocks(content: Content): PageBlocks {
  const found = content.blocks()
  if (!found) return { blocks: [], count: undefined }
  const selectorOf = selectorWriter(content.tree())
  const blocks = found.blocks.map(({ text, holder, ...rest }) => ({
    text,
    selector: selectorOf(holder),
    ...rest,
  }))
  return { blocks, count: found.count }
}

interface AttributeWish {
  selector: string
  attribute: string
}

type AttributeValues =
  | { found: (AttributeWish & { values: string[] })[] }
  /** Why there are none. */
  | { reason: string }

/** Many selectors may match the same large attribute; this limits the result to the size of a few pages. */
const maxCharacters = 20_000_000

/** Values of attributes, by CSS selector, in the order of the whole page. */
function attributeValues(tree: Tree, wishes: readonly AttributeWish[]): AttributeValues {
  const found: (AttributeWish & { values: string[] })[] = []
  let room = maxCharacters
  for (const { selector, attribute } of wishes) {
    const values = valuesOf(tree, selector, attribute)
    if (!values) return { reason: `"${selector}" takes too long on a page of this size.` }
    for (const value of values) room -= value.length
    if (room < 0) return { reason: 'the values are too long to be sent together.' }
    found.push({ selector, attribute, values })
  }
  return { found }
}

/** Undefined if the search would take too long. */
function valuesOf(tree: Tree, selector: string, attribute: string): string[] | undefined {
  const found = select(tree, selector)
  if (!found.ok) return undefined
  // Names in HTML have no case.
  const name = attribute.toLowerCase()
  return found.nodes.flatMap((node) => attributeNamed(tree, node, name) ?? [])
}
