import {
  type ApiDescription,
  type Operation,
  reference,
  referencePath,
  type Schema,
  unasked,
} from './api-description.ts'
import { readFields } from './reference-fields.ts'
import type { DocSection } from './section.ts'

/** The API description → a section for each endpoint, option, format, action and described field. */
export function readReference(api: ApiDescription): DocSection[] {
  const users = usersOf(api)
  const endpoints = operationsOf(api).map((one) => endpointSection(api, one))
  return [...endpoints, ...parameterSections(api), ...readFields(api, users)]
}

interface NamedOperation {
  name: string
  pointer: string
  operation: Operation
}

function operationsOf({ paths }: ApiDescription): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      pointer: `#/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
      operation,
    })),
  )
}

/** A second name of the same endpoint. */
const alias = / \(also \/|under the older name/

function endpointSection(api: ApiDescription, { name, pointer, operation }: NamedOperation): DocSection {
  const names = [
    ...operation.parameters.map((parameter) => parameter.name),
    ...bodiesOf(operation).flatMap((schema) => fieldNames(api, schema)),
  ]
  const options = names.length === 0 ? '' : `\n\nOptions: ${[...new Set(names)].join(', ')}.`
  return {
    kind: 'endpoint',
    pathOrUrl: `${referencePath}${pointer}`,
    key: name,
    title: name,
    headings: [reference, ...operation.tags],
    text: `${operation.summary}.${options}`,
    weight: alias.test(operation.summary) ? 0.8 : 1,
  }
}

const bodiesOf = ({ requestBody }: Operation) =>
  Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)

function fieldNames(api: ApiDescription, schema: Schema): string[] {
  const { properties = {}, allOf = [] } = resolved(api, schema)
  return [...Object.keys(properties), ...allOf.flatMap((part) => fieldNames(api, part))]
}

function resolved({ components }: ApiDescription, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameIn(schema.$ref)] ?? schema)
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)

function parameterSections(api: ApiDescription): DocSection[] {
  return operationsOf(api).flatMap(({ name, pointer, operation }) =>
    operation.parameters.flatMap((parameter, at) =>
      parameter.description === undefined || unasked.has(parameter.name)
        ? []
        : [
            {
              kind: 'option' as const,
              pathOrUrl: `${referencePath}${pointer}/parameters/${at}`,
              key: '',
              title: parameter.name,
              headings: [reference, `Options of ${name}`],
              text: parameter.description,
              weight: 0.8,
            },
          ],
    ),
  )
}

/** Which endpoints take a named schema, in their body or in a part of it. */
function usersOf(api: ApiDescription): Map<string, string[]> {
  const users = new Map<string, string[]>()
  for (const { name, operation } of operationsOf(api)) {
    if (alias.test(operation.summary)) continue
    const seen = new Set<string>()
    for (const body of bodiesOf(operation)) collect(api, body, seen)
    for (const schema of seen) users.set(schema, [...(users.get(schema) ?? []), name])
  }
  return users
}

function collect(api: ApiDescription, schema: Schema, seen: Set<string>): void {
  if (schema.$ref !== undefined) {
    if (seen.has(nameIn(schema.$ref))) return
    seen.add(nameIn(schema.$ref))
  }
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolved(api, schema)
  for (const part of [...Object.values(properties), ...anyOf, ...oneOf, ...allOf]) collect(api, part, seen)
  if (items) collect(api, items, seen)
}
