import { type ApiDescription, reference, referencePath, type Schema, unasked } from './api-description.ts'
import type { DocKind, DocSection } from './section.ts'

/** Fields of named schemas: options of requests, fields of answers, formats and actions. */
export function readFields(
  { components }: ApiDescription,
  users: ReadonlyMap<string, readonly string[]>,
): DocSection[] {
  const found = new Map<string, { section: DocSection; uses: number }>()
  for (const [name, schema] of Object.entries(components.schemas)) {
    const about = describe(name, schema, users.get(name))
    const pointer = `${referencePath}#/components/schemas/${name}`
    const own = kindSection(name, schema, pointer)
    const taking = users.get(name) ?? []
    // Of as many, where the commonest call takes it.
    const uses = taking.length + (taking.includes('POST /v2/scrape') ? 0.5 : 0)
    if (own) found.set(own.pathOrUrl, { section: own, uses })
    for (const section of fieldsOf(schema, { pointer, path: '', about })) {
      // A field that many schemas have is described once, where most endpoints take it.
      const key = `${section.title}\0${section.text}`
      const known = found.get(key)
      if (!known || known.uses < uses) found.set(key, { section, uses })
    }
  }
  return [...found.values()].map(({ section }) => section)
}

interface About {
  schema: string
  kind: DocKind
  heading: string
  weight: number
}

function describe(name: string, schema: Schema, users: readonly string[] | undefined): About {
  const kind = kindOf(name, schema)
  if (kind)
    return { schema: name, kind: 'option', heading: `Options of the ${kind.word} ${kind.name}`, weight: 0.95 }
  if (!users) return { schema: name, kind: 'field', heading: `Fields of ${name}`, weight: 0.75 }
  return { schema: name, kind: 'option', heading: `Options of ${users.slice(0, 6).join(', ')}`, weight: 1 }
}

/** `AudioFormat` with the type `audio` is a format, `ClickAction` an action. */
function kindOf(name: string, { properties }: Schema): { word: string; name: string } | undefined {
  const [, word] = /(Format|Action)$/.exec(name) ?? []
  const type = properties?.type?.const
  return word === undefined || typeof type !== 'string' ? undefined : { word: word.toLowerCase(), name: type }
}

function kindSection(name: string, schema: Schema, pathOrUrl: string): DocSection | undefined {
  const kind = kindOf(name, schema)
  if (!kind || schema.description === undefined) return undefined
  const options = Object.keys(schema.properties ?? {}).filter((field) => field !== 'type')
  const listed = options.length === 0 ? '' : `\n\nOptions: ${options.join(', ')}.`
  return {
    kind: 'option',
    key: `${kind.word} ${kind.name}`,
    ...{ pathOrUrl, title: `${kind.word} ${kind.name}`, headings: [reference, `${kind.word}s`] },
    ...{ text: `${schema.description}${listed}`, weight: 1 },
  }
}

interface SchemaLocation {
  pointer: string
  path: string
  about: About
}

function fieldsOf({ properties = {} }: Schema, { pointer, path, about }: SchemaLocation): DocSection[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const at = { pointer: `${pointer}/properties/${name}`, path: path === '' ? name : `${path}.${name}` }
    const inside = field.items?.properties ? field.items : field
    const below = field.items?.properties ? `${at.pointer}/items` : at.pointer
    const nested = fieldsOf(inside, { ...at, pointer: below, about })
    if (field.description === undefined || unasked.has(name)) return nested
    const { schema, kind, heading, weight } = about
    const section: DocSection = {
      kind,
      key: `${schema}.${at.path}`,
      ...{ pathOrUrl: at.pointer, title: at.path, headings: [reference, heading] },
      ...{ text: fieldText(field), weight },
    }
    return [section, ...nested]
  })
}

function fieldText({ description = '', ...field }: Schema): string {
  const choices = field.enum ?? field.items?.enum
  const fallback = field.default
  const isPlain = ['string', 'number', 'boolean'].includes(typeof fallback)
  return [
    description,
    ...(choices ? [`One of: ${choices.join(', ')}.`] : []),
    ...(isPlain && !description.includes('efault') ? [`Default: ${String(fallback)}.`] : []),
    ...rangeOf(field),
  ].join(' ')
}

function rangeOf({ minimum, maximum }: Schema): string[] {
  if (maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER) return []
  return minimum === undefined ? [`At most ${maximum}.`] : [`From ${minimum} to ${maximum}.`]
}
