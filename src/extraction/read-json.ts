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
  missingRequired: string[]
  /** Paths of fields that are nested too deep in the schema to be read. */
  ignored: string[]
  spec: FieldSpec
  context: PageContext
  /** Visible text of the page, line by line, for a language model, without prompt injections. */
  text: string
  injectionCount: number
}

const maxEvidence = 1000
const maxTextLength = 500

export function readJson(tree: Tree, schema: unknown, context: PageContext): ExtractedJson {
  const { spec, ignored } = readSchema(schema)
  const page = readablePage(tree, context)
  // A list or a scalar at the root is read as the only field of an object.
  const rootSpec: ObjectSpec =
    spec.kind === 'object'
      ? spec
      : { kind: 'object', label: noLabel, required: new Set(), fields: new Map([['value', spec]]) }
  const values = readFields(page, rootSpec)
  for (const [path, list] of findObjectLists(rootSpec)) {
    const records = readRecords(page, list, values.get(path), rootSpec.fields.size > maxFieldsOfListSchema)
    if (records) values.set(path, records)
  }
  const result: ResultContext['result'] = { evidence: {}, missing: [], missingRequired: [] }
  const resultContext = { values, selectorOf: createSelectorWriter(tree), result, count: 0 }
  const object = buildObject(resultContext, rootSpec, '')
  const value = spec.kind === 'object' && Object.keys(object).length > 0 ? object : object.value
  return { value, ...result, ignored, spec, context, ...visibleText(page) }
}

const noLabel = { name: '', description: '' }

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
  values: ReadonlyMap<string, ExtractedValue>
  selectorOf: (node: Node) => string
  result: Pick<ExtractedJson, 'evidence' | 'missing' | 'missingRequired'>
  count: number
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

function buildObject(resultContext: ResultContext, spec: ObjectSpec, parentPath: string) {
  const { values, result } = resultContext
  const value: Record<string, unknown> = {}
  for (const [name, field] of spec.fields) {
    const path = parentPath === '' ? name : `${parentPath}.${name}`
    const isRequired = spec.required.has(name)
    if (field.kind === 'object') {
      const inner = buildObject(resultContext, field, path)
      if (Object.keys(inner).length > 0) define(value, name, inner)
      else if (isRequired) result.missingRequired.push(path)
      continue
    }
    const fieldValue = values.get(path)
    if (fieldValue) {
      define(value, name, fieldValue.value)
      addEvidence(resultContext, path, fieldValue)
      continue
    }
    result.missing.push(path)
    if (isRequired) result.missingRequired.push(path)
  }
  return value
}

function addEvidence(resultContext: ResultContext, path: string, found: ExtractedValue): void {
  if (resultContext.count >= maxEvidence) return
  const parts = [...(found.inner ?? [])]
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
