import { createSelectorWriter } from '../content/tree/selector-writer.ts'
import type { Node, Tree } from '../content/tree/tree.ts'
import type { ExtractedValue, ExtractorName, PageContext } from './fields/extracted-value.ts'
import { define } from './fields/from-items.ts'
import { type ReadablePage, readablePage, readFields } from './fields/read-fields.ts'
import { stripPromptInjection } from './grounding/prompt-injection.ts'
import { type RecordsSpec, readRecords } from './records/read-records.ts'
import type { FieldSpec, ObjectSpec } from './schema/field-spec.ts'
import { readSchema } from './schema/read-schema.ts'

export interface Evidence {
  text: string
  reader: ExtractorName
  selector?: string
  /** Property in structured data or metadata. */
  property?: string
}

export interface ExtractedJson {
  value: unknown
  evidence: Record<string, Evidence>
  missing: string[]
  /** Paths of required fields and objects without a value. */
  missingRequired: string[]
  /** Paths of fields that are nested too deep in the schema to be read. */
  ignored: string[]
  spec: FieldSpec
  /** Visible text of the page, line by line, for a language model, without prompt injections. */
  text: string
  injectionCount: number
  context: PageContext
}

const maxEvidence = 1000
const maxTextLength = 500

/** Extracts the values of a JSON Schema from a page. Fields without a value on the page are omitted. */
export function readJson(tree: Tree, schema: unknown, context: PageContext): ExtractedJson {
  const { spec, ignored } = readSchema(schema)
  const page = readablePage(tree, context)
  const result: ExtractedJson = {
    value: undefined,
    evidence: {},
    missing: [],
    missingRequired: [],
    ignored,
    spec,
    context,
    ...visibleText(page),
  }
  const resultContext: ResultContext = { selectorOf: createSelectorWriter(tree), result, count: 0 }
  // A list or a scalar at the root is read as the only field of an object.
  const wrapper: ObjectSpec = { ...emptyObject, fields: new Map([['value', spec]]) }
  const value = objectValue(page, spec.kind === 'object' ? spec : wrapper, resultContext)
  result.value = spec.kind === 'object' ? value : value?.value
  return result
}

const emptyObject = {
  kind: 'object',
  label: { name: '', description: '' },
  required: new Set<string>(),
} as const

const maxPageLength = 400_000
const minWeight = 0.3

function visibleText({ lines }: ReadablePage): Pick<ExtractedJson, 'text' | 'injectionCount'> {
  const visibleLines = lines.list.filter(({ weight }) => weight > minWeight).map(({ text }) => text)
  const cleanLines = visibleLines.map(stripPromptInjection)
  const text = cleanLines.filter((line) => line !== '').join('\n')
  const injectionCount = cleanLines.filter((line, at) => line !== visibleLines[at]).length
  return { text: text.slice(0, maxPageLength), injectionCount }
}

interface ResultContext {
  selectorOf: (node: Node) => string
  result: ExtractedJson
  count: number
}

function objectValue(page: ReadablePage, spec: ObjectSpec, resultContext: ResultContext) {
  const fieldValues = readFields(page, spec)
  for (const [path, list] of findObjectLists(spec)) {
    const records = readRecords(page, list, fieldValues.get(path), spec.fields.size > maxFieldsOfListSchema)
    if (records) fieldValues.set(path, records)
  }
  const value = buildObject(spec, fieldValues, resultContext, '')
  return Object.keys(value).length > 0 ? value : undefined
}

/** A schema with more fields describes a single item. */
const maxFieldsOfListSchema = 4

function findObjectLists(spec: ObjectSpec, parentPath = ''): [string, RecordsSpec][] {
  return [...spec.fields].flatMap(([name, field]): [string, RecordsSpec][] => {
    const path = parentPath === '' ? name : `${parentPath}.${name}`
    if (field.kind === 'object') return findObjectLists(field, path)
    if (field.kind !== 'list' || field.item.kind !== 'object') return []
    return [[path, { ...field, item: field.item }]]
  })
}

function buildObject(
  spec: ObjectSpec,
  fieldValues: ReadonlyMap<string, ExtractedValue>,
  resultContext: ResultContext,
  parentPath: string,
): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, field] of spec.fields) {
    const path = parentPath === '' ? name : `${parentPath}.${name}`
    if (field.kind === 'object') {
      const inner = buildObject(field, fieldValues, resultContext, path)
      if (Object.keys(inner).length > 0) define(value, name, inner)
      else if (spec.required.has(name)) resultContext.result.missingRequired.push(path)
      continue
    }
    const fieldValue = fieldValues.get(path)
    if (fieldValue) {
      define(value, name, fieldValue.value)
      addEvidence(resultContext, path, fieldValue)
      continue
    }
    resultContext.result.missing.push(path)
    if (spec.required.has(name)) resultContext.result.missingRequired.push(path)
  }
  return value
}

function addEvidence(resultContext: ResultContext, path: string, found: ExtractedValue): void {
  if (resultContext.count >= maxEvidence) return
  const parts = found.inner ? [...found.inner] : []
  const hasObjectParts = parts.some(([, part]) => part.inner !== undefined)
  if (hasObjectParts || (parts.length > 0 && !Array.isArray(found.value))) {
    for (const [name, part] of parts)
      addEvidence(resultContext, name.startsWith('[') ? `${path}${name}` : `${path}.${name}`, part)
    return
  }
  resultContext.count += 1
  define(resultContext.result.evidence, path, {
    text: found.text.slice(0, maxTextLength),
    reader: found.reader,
    ...(found.node === undefined ? {} : { selector: resultContext.selectorOf(found.node) }),
    ...(found.path === undefined ? {} : { property: found.path }),
  })
}
