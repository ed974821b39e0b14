import type { Content } from '../../content/content.ts'
import { once } from '../../platform/functions.ts'
import { type Redaction, redact } from '../redaction/redact.ts'
import * as all from './parts/all.ts'
import type { Pack, Part, PartSource } from './parts/part.ts'
import { packFields, type SearchPartOptions, searchFields } from './search/search-fields.ts'

type All = typeof all
type PartName = keyof All
type TypesOf<Member> =
  Member extends Part<infer Value, infer Packed, infer Wish> ? { wish: Wish; read: Value | Packed } : never

/** The requested parts of a page, known before it is read. */
export type PartRequests = { [Name in PartName]?: TypesOf<All[Name]>['wish'] } & {
  /** Personal data is taken out of every text that comes from the Markdown. */
  redaction?: Redaction
  /** Made behind the others, so that nobody waits for it. */
  search?: SearchPartOptions
}

export type BuiltParts = {
  [Name in PartName]?: {
    value: TypesOf<All[Name]>['read']
    /** The warnings of the content when the part was produced. */
    warnings: string[]
  }
}

/** The parts of a page, to be passed on. Only requested parts are present. */
export type PageParts = { [Name in PartName]: () => TypesOf<All[Name]>['read'] } & {
  /** What the page can be found by, packed; undefined where that was not wished for or could not be made. */
  search(): Promise<Uint8Array | undefined>
  /** Warnings about the parts that were read so far. */
  warnings(): string[]
}

/** A part as generic code sees it: its wish and its value have their own types. */
type AnyPart = Part<unknown, unknown, unknown>

// Metadata first: its warnings must not include those of other parts.
const { metadata, ...others } = all
// Each part gets the wish and the value of its own name.
const parts = Object.entries({ metadata, ...others }) as [PartName, AnyPart][]

export async function buildParts(content: Content, url: string, wishes: PartRequests): Promise<BuiltParts> {
  const { redaction } = wishes
  const markdown = once(() => (redaction ? redact(content.markdown(), redaction).text : content.markdown()))
  const redacted = { ...content, markdown }
  const sentences = once(async () => {
    const { readPageText } = await import('./page-text.ts')
    return readPageText(redacted)
  })
  const source: PartSource = { content: redacted, url, redaction, sentences }
  const made: Record<string, { value: unknown; warnings: string[] }> = {}
  for (const [name, part] of parts) {
    const wish = wishes[name]
    if (wish !== undefined)
      made[name] = { value: await part.make(source, wish), warnings: content.warnings() }
  }
  // Each name has a value of its own type.
  return made as BuiltParts
}

/** The same with long values packed. */
export function packParts(made: BuiltParts, pack: Pack): BuiltParts {
  const packed = parts.map(([name, part]) => {
    const found = made[name]
    return [name, found && { ...found, value: part.pack?.(found.value, pack) ?? found.value }]
  })
  return Object.fromEntries(packed)
}

/** The options of the caller that decide how long a page takes. */
export function costsOf(wishes: PartRequests): string[] {
  const costs = parts.flatMap(([name, { cost }]) => (wishes[name] === undefined || !cost ? [] : [cost]))
  return [...new Set(costs)]
}

/** The part that is made behind the others. */
export function makeSearchPart(
  content: Content,
  url: string,
  wish: SearchPartOptions,
): Uint8Array<ArrayBuffer> {
  return packFields(searchFields(content, url, wish))
}

/** The produced parts for code that passes them on; a warning appears when its part is read. */
export function pageParts(made: BuiltParts, search: PageParts['search'] = async () => undefined): PageParts {
  const warnings = new Set<string>()
  const readers = parts.map(([name]) => [
    name,
    () => {
      const found = made[name]
      // Producing it here would block the event loop.
      if (!found) throw new Error(`The part "${name}" of a page was not wished for before it was read`)
      for (const warning of found.warnings) warnings.add(warning)
      return found.value
    },
  ])
  return { ...Object.fromEntries(readers), search, warnings: () => [...warnings] }
}
