import type { DocSection } from './section.ts'

/** Parts of the API description that are read. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

interface Operation {
  summary: string
  tags: string[]
  parameters: { name: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface Schema {
  $ref?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const path = 'docs/openapi.json'
const top = 'API reference'
/** Every request has these. */
const ignored = new Set(['origin', 'integration', 'id'])
/** A guide with the same words explains more, so entries of the reference count less. */
export const referenceWeight = 0.8
const fieldWeight = 0.6
const unavailableWeight = 0.4

/** Returns a section for each endpoint, option, format, action and described field. */
export function readReference(api: ApiDescription): DocSection[] {
  const operations = Object.entries(api.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema)
      const pointer = `#/paths/${address.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      return { ...operation, bodies, pointer, name: `${method.toUpperCase()} ${address}` }
    }),
  )
  const users = new Map<string, string[]>()
  for (const { name, summary, bodies } of operations) {
    // The other name of an endpoint repeats its options.
    if (/ \(also \/|under the older name/.test(summary)) continue
    for (const schema of schemasIn(api, bodies)) users.set(schema, [...(users.get(schema) ?? []), name])
  }
  const endpoints = operations.flatMap(({ name, summary, tags, parameters, bodies, pointer }) => {
    const options = [...parameters.map((one) => one.name), ...bodies.flatMap((body) => fieldNames(api, body))]
    const headings = [top, `Options of ${name}`]
    return [
      entry({ pointer, title: name, headings: [top, ...tags], text: `${summary}.${optionList(options)}` }),
      ...parameters.flatMap(({ name: title, description: text }, at) =>
        text === undefined || ignored.has(title)
          ? []
          : entry({ pointer: `${pointer}/parameters/${at}`, key: '', title, headings, text }),
      ),
    ]
  })
  return [...endpoints, ...readSchemas(api, users)]
}

/** A field that several schemas have becomes one section, of the schema that most endpoints take. */
function readSchemas({ components }: ApiDescription, users: ReadonlyMap<string, string[]>): DocSection[] {
  const found = new Map<string, { section: DocSection; uses: number }>()
  for (const [name, schema] of Object.entries(components.schemas)) {
    const takers = users.get(name) ?? []
    const uses = takers.length + (takers.includes('POST /v2/scrape') ? 0.5 : 0)
    for (const section of schemaSections(name, schema, takers)) {
      const key = `${section.title}\0${section.text}`
      if ((found.get(key)?.uses ?? -1) < uses) found.set(key, { section, uses })
    }
  }
  return [...found.values()].map(({ section }) => section)
}

function schemaSections(name: string, schema: Schema, takers: readonly string[]): DocSection[] {
  const pointer = `#/components/schemas/${name}`
  // `AudioFormat` with the type `audio` is a format, `ClickAction` an action.
  const word = /(?:Format|Action)$/.exec(name)?.[0].toLowerCase()
  const type = schema.properties?.type?.const
  if (word === undefined || typeof type !== 'string') {
    const heading = takers.length > 0 ? `Options of ${takers.slice(0, 6).join(', ')}` : `Fields of ${name}`
    const weight = takers.length > 0 ? referenceWeight : fieldWeight
    return fieldSections(schema, { pointer, key: name, titles: [], heading, weight })
  }
  const [title, heading] = [`${word} ${type}`, `Options of the ${word} ${type}`]
  const options = Object.keys(schema.properties ?? {}).filter((field) => field !== 'type')
  const text = `${schema.description ?? ''}${optionList(options)}`
  const own = entry({ pointer, title, headings: [top, `${word}s`], text })
  return [own, ...fieldSections(schema, { pointer, key: name, titles: [], heading, weight: referenceWeight })]
}

interface Place {
  pointer: string
  key: string
  titles: readonly string[]
  heading: string
  weight: number
}

function fieldSections({ properties = {} }: Schema, place: Place): DocSection[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const pointer = `${place.pointer}/properties/${name}`
    const titles = [...place.titles, name]
    const [inside, below] = field.items?.properties ? [field.items, `${pointer}/items`] : [field, pointer]
    const nested = fieldSections(inside, { ...place, pointer: below, titles })
    if (field.description === undefined || ignored.has(name)) return nested
    const title = titles.join('.')
    const { heading, weight } = place
    const own = { pointer, key: `${place.key}.${title}`, title, headings: [top, heading], weight }
    return [entry({ ...own, text: fieldText(field) }), ...nested]
  })
}

function entry(
  given: Pick<DocSection, 'title' | 'headings' | 'text'> & Partial<DocSection> & { pointer: string },
): DocSection {
  const { pointer, title, headings, text, key = title, weight = referenceWeight } = given
  const isUnavailable = /\b(?:not available here|no effect|which is not available)\b/i.test(text)
  return {
    ...{ pathOrUrl: `${path}${pointer}`, key, title, headings, text },
    weight: isUnavailable ? unavailableWeight : weight,
  }
}

const optionList = (names: readonly string[]) =>
  names.length === 0 ? '' : `\n\nOptions: ${[...new Set(names)].join(', ')}.`

function fieldText({ description = '', items, default: preset, minimum, maximum, ...field }: Schema): string {
  const choices = field.enum ?? items?.enum
  const isPlain = ['string', 'number', 'boolean'].includes(typeof preset)
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return [
    description,
    ...(choices ? [`One of: ${choices.join(', ')}.`] : []),
    ...(isPlain && !description.includes('efault') ? [`Default: ${String(preset)}.`] : []),
    ...(isBounded ? [minimum === undefined ? `At most ${maximum}.` : `From ${minimum} to ${maximum}.`] : []),
  ].join(' ')
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

function resolve({ components }: ApiDescription, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? schema)
}

function fieldNames(api: ApiDescription, schema: Schema): string[] {
  const { properties = {}, allOf = [] } = resolve(api, schema)
  return [...Object.keys(properties), ...allOf.flatMap((part) => fieldNames(api, part))]
}

/** Returns the names of all schemas inside of some schemas. */
function schemasIn(api: ApiDescription, schemas: readonly Schema[], seen = new Set<string>()): Set<string> {
  for (const schema of schemas) {
    const name = nameIn(schema.$ref ?? '')
    if (seen.has(name)) continue
    if (name !== '') seen.add(name)
    const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolve(api, schema)
    const parts = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])]
    schemasIn(api, parts, seen)
  }
  return seen
}
