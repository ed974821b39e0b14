import { selectorWriter } from '../content/tree/selector-writer.ts'
import type { Node, Tree } from '../content/tree/tree.ts'
import type { ExtractorName, Found, PageContext } from './fields/extracted-value.ts'
import { define } from './fields/from-items.ts'
import { type ReadablePage, readablePage, readFields } from './fields/read-fields.ts'
import { stripPromptInjection } from './grounding/prompt-injection.ts'
import { readRecords } from './records/read-records.ts'
import type { FieldSpec, ListSpec, ObjectSpec } from './schema/field-spec.ts'
import { readSchema } from './schema/read-schema.ts'

/** Where a value comes from. */
export interface Evidence {
  /** The text that it was read from. */
  text: string
  /** By which reader. */
  reader: ExtractorName
  /** The element in which the text stands, as a CSS selector. */
  selector?: string
  /** The property in structured data or metadata. */
  property?: string
}

export interface ReadJson {
  /** Only what was found; undefined where nothing was. */
  value: unknown
  evidence: Record<string, Evidence>
  /** Paths of fields that were not found. */
  missing: string[]
  /** Those of them that the schema requires. */
  missingRequired: string[]
  /** Fields that stand too deep in the schema to be read. */
  ignored: string[]
  /** The schema as it was read. */
  spec: FieldSpec
  /** What the page shows, line by line, for a language model; without lines that give orders to one. */
  text: string
  /** How many such lines there are. */
  orders: number
  context: PageContext
}

const maxEvidence = 1000
const longestText = 500

/** A JSON Schema and a page → what the page says of it. Nothing is made up: what is not found is left out. */
export function readJson(tree: Tree, schema: unknown, context: PageContext): ReadJson {
  const { spec, ignored } = readSchema(schema)
  const page = readablePage(tree, context)
  const result: ReadJson = {
    value: undefined,
    evidence: {},
    missing: [],
    missingRequired: [],
    ignored,
    spec,
    context,
    ...shownLines(page),
  }
  const notes: Notes = { selectorOf: selectorWriter(tree), result, count: 0 }
  result.value = rootValue(page, spec, notes)
  return result
}

const longestPage = 400_000
const minWeight = 0.3

function shownLines({ lines }: ReadablePage): Pick<ReadJson, 'text' | 'orders'> {
  const shown = lines.list.filter(({ weight }) => weight > minWeight).map(({ text }) => text)
  const stated = shown.map(stripPromptInjection)
  const text = stated.filter((line) => line !== '').join('\n')
  const orders = stated.filter((line, at) => line !== shown[at]).length
  return { text: text.slice(0, longestPage), orders }
}

interface Notes {
  selectorOf: (node: Node) => string
  result: ReadJson
  count: number
}

function rootValue(page: ReadablePage, spec: FieldSpec, notes: Notes): unknown {
  if (spec.kind === 'object') return objectValue(page, spec, notes)
  // A list or a value that stands alone is read as the only field of an object.
  const label = { name: '', description: '' }
  const alone: ObjectSpec = { kind: 'object', label, fields: new Map([['value', spec]]), required: new Set() }
  const read = objectValue(page, alone, notes) as { value?: unknown } | undefined
  return read?.value
}

function objectValue(
  page: ReadablePage,
  spec: ObjectSpec,
  notes: Notes,
): Record<string, unknown> | undefined {
  const found = readFields(page, spec)
  for (const [path, list] of listsOf(spec)) {
    const records = readRecords(page, list, found.get(path), spec.fields.size > minOfList)
    if (records) found.set(path, records)
  }
  const value = assembled(spec, found, notes, '')
  return Object.keys(value).length > 0 ? value : undefined
}

/** A schema with more fields than this describes one thing, not a list. */
const minOfList = 4

/** The fields that are lists of objects. */
function listsOf(spec: ObjectSpec, at = ''): [string, ListSpec & { item: ObjectSpec }][] {
  return [...spec.fields].flatMap(([name, field]): [string, ListSpec & { item: ObjectSpec }][] => {
    const path = at === '' ? name : `${at}.${name}`
    if (field.kind === 'object') return listsOf(field, path)
    const { kind } = field
    return kind === 'list' && field.item.kind === 'object' ? [[path, { ...field, item: field.item }]] : []
  })
}

function assembled(
  spec: ObjectSpec,
  found: ReadonlyMap<string, Found>,
  notes: Notes,
  at: string,
): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, field] of spec.fields) {
    const path = at === '' ? name : `${at}.${name}`
    if (field.kind === 'object') {
      const inner = assembled(field, found, notes, path)
      if (Object.keys(inner).length > 0) define(value, name, inner)
      else if (spec.required.has(name)) notes.result.missingRequired.push(path)
      continue
    }
    const read = found.get(path)
    if (read) {
      define(value, name, read.value)
      note(notes, path, read)
      continue
    }
    notes.result.missing.push(path)
    if (spec.required.has(name)) notes.result.missingRequired.push(path)
  }
  return value
}

function note(notes: Notes, path: string, found: Found): void {
  if (notes.count >= maxEvidence) return
  const parts = found.inner ? [...found.inner] : []
  const isOfObjects = parts.some(([, part]) => part.inner !== undefined)
  if (isOfObjects || (parts.length > 0 && !Array.isArray(found.value))) {
    for (const [name, part] of parts)
      note(notes, name.startsWith('[') ? `${path}${name}` : `${path}.${name}`, part)
    return
  }
  notes.count += 1
  define(notes.result.evidence, path, {
    text: found.text.slice(0, longestText),
    reader: found.reader,
    ...(found.node === undefined ? {} : { selector: notes.selectorOf(found.node) }),
    ...(found.path === undefined ? {} : { property: found.path }),
  })
}
