import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inlineText } from '../../extraction/passages/inline-text.ts'
import { createTimeSlice } from '../../platform/time-slice.ts'

/** Can answer a question alone: a section of a guide, an option or an error. */
export interface DocSection {
  /** File in the repository with an anchor or a JSON pointer: `docs/search.md#the-query`. */
  pathOrUrl: string
  title: string
  headings: readonly string[]
  key: string
  text: string
  weight: number
  kind?: 'error' | 'limit'
}

interface Operation {
  summary: string
  tags: string[]
  parameters: { name: string; description?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

interface Schema extends Partial<Record<'anyOf' | 'oneOf' | 'allOf', Schema[]>> {
  $ref?: string
  description?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  items?: Schema
}

const path = 'docs/openapi.json'
const rootHeading = 'API reference'
const ignoredFields = new Set(['origin', 'integration', 'id'])
/** A guide with the same words explains more. */
const referenceWeight = 0.8
const fieldWeight = 0.6
const unavailableWeight = 0.4

function readReference(api: ApiDescription): DocSection[] {
  const operations = Object.entries(api.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const bodies = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema)
      const pointer = `#/paths/${address.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`
      return { ...operation, bodies, pointer, name: `${method.toUpperCase()} ${address}` }
    }),
  )
  const endpointsBySchema = new Map<string, string[]>()
  for (const { name, summary, bodies } of operations) {
    // An alias of an endpoint repeats its options.
    if (/ \(also \/|under the older name/.test(summary)) continue
    for (const schema of schemasIn(api, bodies))
      endpointsBySchema.set(schema, [...(endpointsBySchema.get(schema) ?? []), name])
  }
  const endpoints = operations.flatMap(({ name, summary, tags, parameters, bodies, pointer }) => {
    const fields = bodies.flatMap((body) => fieldNames(api, body))
    const text = `${summary}.${optionList([...parameters.map(({ name }) => name), ...fields])}`
    const headings = [rootHeading, `Options of ${name}`]
    return [
      entry({ pointer, title: name, headings: [rootHeading, ...tags], text }),
      ...parameters.flatMap(({ name: title, description: text }, at) =>
        text === undefined || ignoredFields.has(title)
          ? []
          : entry({ pointer: `${pointer}/parameters/${at}`, key: '', title, headings, text }),
      ),
    ]
  })
  return [...endpoints, ...readSchemas(api, endpointsBySchema)]
}

/** A field of several schemas becomes one section, of the schema that most endpoints accept. */
function readSchemas({ components }: ApiDescription, endpointsBySchema: ReadonlyMap<string, string[]>) {
  const byText = new Map<string, { section: DocSection; uses: number }>()
  for (const [name, schema] of Object.entries(components.schemas)) {
    const endpoints = endpointsBySchema.get(name) ?? []
    const uses = endpoints.length + (endpoints.includes('POST /v2/scrape') ? 0.5 : 0)
    for (const section of schemaSections(name, schema, endpoints)) {
      const key = `${section.title}\0${section.text}`
      if ((byText.get(key)?.uses ?? -1) < uses) byText.set(key, { section, uses })
    }
  }
  return [...byText.values()].map(({ section }) => section)
}

function schemaSections(name: string, schema: Schema, endpoints: readonly string[]): DocSection[] {
  const pointer = `#/components/schemas/${name}`
  const fieldsUnder = (heading: string, weight: number) =>
    describedFields(schema, pointer).map((field) =>
      entry({ ...field, key: `${name}.${field.title}`, headings: [rootHeading, heading], weight }),
    )
  // `AudioFormat` with the type `audio` is a format, `ClickAction` an action.
  const word = /(?:Format|Action)$/.exec(name)?.[0].toLowerCase()
  const type = schema.properties?.type?.const
  if (word !== undefined && typeof type === 'string') {
    const title = `${word} ${type}`
    const options = Object.keys(schema.properties ?? {}).filter((field) => field !== 'type')
    const text = `${schema.description ?? ''}${optionList(options)}`
    const section = entry({ pointer, title, headings: [rootHeading, `${word}s`], text })
    return [section, ...fieldsUnder(`Options of the ${title}`, referenceWeight)]
  }
  if (endpoints.length === 0) return fieldsUnder(`Fields of ${name}`, fieldWeight)
  return fieldsUnder(`Options of ${endpoints.slice(0, 6).join(', ')}`, referenceWeight)
}

type FieldSection = Pick<DocSection, 'title' | 'text'> & { pointer: string }

function describedFields({ properties = {} }: Schema, parent: string, titles: string[] = []): FieldSection[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const pointer = `${parent}/properties/${name}`
    const path = [...titles, name]
    const nested = field.items?.properties
      ? describedFields(field.items, `${pointer}/items`, path)
      : describedFields(field, pointer, path)
    if (field.description === undefined || ignoredFields.has(name)) return nested
    return [{ pointer, title: path.join('.'), text: fieldText(field) }, ...nested]
  })
}

function entry({
  pointer,
  key,
  weight = referenceWeight,
  ...section
}: FieldSection & Pick<DocSection, 'headings'> & { key?: string; weight?: number }): DocSection {
  const isUnavailable = /\b(?:not available here|no effect|which is not available)\b/i.test(section.text)
  return {
    ...{ ...section, pathOrUrl: `${path}${pointer}`, key: key ?? section.title },
    weight: isUnavailable ? unavailableWeight : weight,
  }
}

const optionList = (names: readonly string[]) =>
  names.length === 0 ? '' : `\n\nOptions: ${[...new Set(names)].join(', ')}.`

function fieldText({ description = '', items, minimum, maximum, ...field }: Schema): string {
  const choices = field.enum ?? items?.enum
  const isPlain = ['string', 'number', 'boolean'].includes(typeof field.default)
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  return [
    description,
    ...(choices ? [`One of: ${choices.join(', ')}.`] : []),
    ...(isPlain && !description.includes('efault') ? [`Default: ${String(field.default)}.`] : []),
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

const heading = /^(#{1,6})[ \t]+(\S(?:.*\S)?)[ \t]*$/
const fence = /^\s*(`{3,}|~{3,})/

export function splitGuide(path: string, markdown: string, weight: number): DocSection[] {
  const sections: DocSection[] = []
  const openHeadings: { level: number; title: string; anchor: string; lines: string[] }[] = []
  const anchorOf = anchors()
  let isCode = false
  const closeSection = () => {
    const open = openHeadings.at(-1)
    const text = open?.lines.join('\n').trim() ?? ''
    if (!open || text === '') return
    const headings = openHeadings.slice(0, -1).map(({ title }) => title)
    // The first section represents the guide, so its link has no anchor.
    const anchor = headings.length === 0 ? '' : `#${open.anchor}`
    const pathOrUrl = `${path}${anchor}`
    sections.push({ pathOrUrl, key: pathOrUrl, title: open.title, headings, text, weight })
  }
  for (const line of markdown.split('\n')) {
    if (fence.test(line)) isCode = !isCode
    const [, hashes, title] = (isCode ? undefined : heading.exec(line)) ?? []
    if (hashes === undefined || title === undefined) openHeadings.at(-1)?.lines.push(line)
    else {
      closeSection()
      while ((openHeadings.at(-1)?.level ?? 0) >= hashes.length) openHeadings.pop()
      const text = inlineText(title)
      openHeadings.push({ level: hashes.length, title: text, anchor: anchorOf(text), lines: [] })
    }
  }
  closeSection()
  return sections
}

const tableRow = /^\|(.*)\|\s*$/
const delimiterRow = /^\|[\s:|-]+\|\s*$/

type NameTable = Pick<DocSection, 'weight' | 'kind'> & { nameColumn: number }

export function splitTable(path: string, markdown: string, table: NameTable): DocSection[] {
  const { nameColumn, ...rank } = table
  const title = /^#[ \t]+(.+)$/m.exec(markdown)?.[1] ?? path
  const rows = markdown.split('\n').filter((line) => tableRow.test(line) && !delimiterRow.test(line))
  const [columns = [], ...entries] = rows.map(cellsOf)
  return entries.map((cells) => {
    const name = inlineText(cells[nameColumn] ?? '')
    const rest = cells.flatMap((cell, column) =>
      column === nameColumn || cell === '' ? [] : [`${columns[column] ?? ''}: ${withPeriod(cell)}`],
    )
    // The meaning comes before the status or the default.
    const [last = '', ...before] = rest.reverse()
    const meaning = last.replace(/^[^:]*: /, '')
    const text = [meaning, ...before].join(' ')
    return { pathOrUrl: `${path}#${name}`, key: name, title: name, headings: [title], text, ...rank }
  })
}

const cellsOf = (row: string) =>
  (tableRow.exec(row)?.[1] ?? '').split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())

const withPeriod = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

export const tablesOfNames: Record<string, NameTable> = {
  'docs/errors.md': { nameColumn: 1, weight: 1, kind: 'error' },
  'docs/configuration.md': { nameColumn: 0, weight: referenceWeight },
  'docs/limits.md': { nameColumn: 0, weight: 1, kind: 'limit' },
}
const weights: [RegExp, number][] = [
  // For contributors, and for users who migrate from another service.
  [/^docs\/(?:architecture|glossary|quality|guides\/plug-in)\.md$/, 0.6],
  [/^docs\/guides\/from-/, 0.5],
  [/^docs\/performance\.md$/, 0.7],
  [/^README\.md$|^docs\/(?:cli\.md$|migrate-)/, 0.8],
  // These pages are shorter than the pages that they link to.
  [/^SECURITY\.md$|^docs\/guides\//, 0.85],
]
const ignoredPages = new Set(['docs/README.md', 'docs/imports.md', 'docs/proof.md', 'docs/compatibility.md'])

export async function readDocs(root: string): Promise<DocSection[]> {
  const paths = ['README.md', 'SECURITY.md']
  for (const folder of ['docs', 'docs/guides']) {
    const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.md'))
    paths.push(...names.sort().map((name) => `${folder}/${name}`))
  }
  const timeSlice = createTimeSlice()
  const sections: DocSection[] = []
  for (const path of paths.filter((path) => !ignoredPages.has(path))) {
    sections.push(...readPage(path, await readFile(join(root, path), 'utf8')))
    await timeSlice.take()
  }
  // `npm run generate` writes the file, so its shape is known.
  const api = JSON.parse(await readFile(join(root, 'docs/openapi.json'), 'utf8')) as ApiDescription
  await timeSlice.take()
  return [...sections, ...readReference(api)]
}

/** Output of examples contains no words of questions. */
const exampleOutput = /^```(?:json|text)\n.*?^```$/gms

function readPage(path: string, markdown: string): DocSection[] {
  const weight = weights.find(([pattern]) => pattern.test(path))?.[1] ?? 1
  if (path.startsWith('docs/guides/')) return splitGuide(path, markdown.replace(exampleOutput, ''), weight)
  const table = tablesOfNames[path]
  if (!table) return splitGuide(path, markdown, weight)
  return [...splitGuide(path, markdown.replace(/^\|.*$/gm, ''), weight), ...splitTable(path, markdown, table)]
}

/** Converts titles of one page to anchors, as code hosts do. A repeated title gets a number. */
export function anchors(): (title: string) => string {
  const usedAnchors = new Map<string, number>()
  return (title) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const count = usedAnchors.get(anchor) ?? 0
    usedAnchors.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  }
}
