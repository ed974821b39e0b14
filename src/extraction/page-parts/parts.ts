import type { Content } from '../../content/content.ts'
import { lazy } from '../../platform/functions.ts'
import { type Redaction, redact } from '../redaction/redact.ts'
import * as all from './parts/all.ts'
import type { Pack, Part, PartSource } from './parts/part.ts'
import { packFields, type SearchPartOptions, searchFields } from './search/search-fields.ts'

type AllParts = typeof all
type PartName = keyof AllParts
type TypesOf<Member> =
  Member extends Part<infer Value, infer Packed, infer Request>
    ? { request: Request; read: Value | Packed }
    : never

export type PartRequests = { [Name in PartName]?: TypesOf<AllParts[Name]>['request'] } & {
  /** Applies to all text that is derived from the Markdown. */
  redaction?: Redaction
  /** The search part is built after the reply, so that the caller does not wait for it. */
  search?: SearchPartOptions
}

export type BuiltParts = {
  [Name in PartName]?: {
    value: TypesOf<AllParts[Name]>['read']
    warnings: string[]
  }
}

export type PageParts = { [Name in PartName]: () => TypesOf<AllParts[Name]>['read'] } & {
  search(): Promise<Uint8Array | undefined>
  warnings(): string[]
}

type AnyPart = Part<unknown, unknown, unknown>

// Metadata is built first, so that it does not have the warnings of other parts.
const { metadata, ...otherParts } = all
// Each part receives the request and the value of its own name.
const parts = Object.entries({ metadata, ...otherParts }) as [PartName, AnyPart][]

export async function buildParts(content: Content, url: string, requests: PartRequests): Promise<BuiltParts> {
  const { redaction } = requests
  const markdown = lazy(() => (redaction ? redact(content.markdown(), redaction).text : content.markdown()))
  const redacted = { ...content, markdown }
  const sentences = lazy(async () => (await import('./page-text.ts')).readPageText(redacted))
  const source: PartSource = { content: redacted, url, redaction, sentences }
  const builtParts: Record<string, { value: unknown; warnings: string[] }> = {}
  for (const [name, part] of parts) {
    const request = requests[name]
    if (request === undefined) continue
    builtParts[name] = { value: await part.make(source, request), warnings: content.warnings() }
  }
  // Each name has a value of its own type.
  return builtParts as BuiltParts
}

export function packParts(builtParts: BuiltParts, pack: Pack): BuiltParts {
  const packed = parts.map(([name, part]) => {
    const builtPart = builtParts[name]
    return [name, builtPart && { ...builtPart, value: part.pack?.(builtPart.value, pack) ?? builtPart.value }]
  })
  return Object.fromEntries(packed)
}

export function costsOf(requests: PartRequests): string[] {
  const costs = parts.flatMap(([name, { cost }]) => (requests[name] === undefined || !cost ? [] : [cost]))
  return [...new Set(costs)]
}

export const makeSearchPart = (content: Content, url: string, request: SearchPartOptions) =>
  packFields(searchFields(content, url, request))

/** A warning appears once its part is read. */
export function pageParts(
  builtParts: BuiltParts,
  search: PageParts['search'] = async () => undefined,
): PageParts {
  const warnings = new Set<string>()
  const readers = parts.map(([name]) => [
    name,
    () => {
      const builtPart = builtParts[name]
      // Building the part here would block the event loop.
      if (!builtPart) throw new Error(`The part "${name}" of a page was not requested before it was read`)
      for (const warning of builtPart.warnings) warnings.add(warning)
      return builtPart.value
    },
  ])
  return { ...Object.fromEntries(readers), search, warnings: () => [...warnings] }
}
