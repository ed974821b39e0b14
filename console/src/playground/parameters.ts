import { apiPath, isPathSegment } from '../../../client/src/api-path.ts'
import type { OpenApi } from '../api/schema.ts'
import type { Call } from './calls.ts'
import { type Field, toFields, toShape } from './form/shape.ts'

export interface CallForm {
  summary: string
  /** Fields at the top of the form, in the order of the call. The others are options. */
  first: Field[]
  options: Field[]
  /** Names of fields that are URL path parameters. */
  inPath: string[]
  takesFile: boolean
}

/** Builds the form of a call from the OpenAPI description. */
export function buildForm(openApi: OpenApi, call: Call): CallForm {
  const operation = openApi.paths[call.path]?.post
  const content = operation?.requestBody?.content ?? {}
  const upload = content['multipart/form-data']?.schema
  const schema = upload?.properties?.options ?? content['application/json']?.schema ?? {}
  const pathParameters = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'path')
  const fields: Field[] = [
    ...pathParameters.map(({ name, description, schema: shape }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      isRequired: true,
      shape: toShape(openApi, shape, name),
    })),
    ...toFields(openApi, schema),
  ]
  return {
    summary: operation?.summary ?? '',
    first: call.mainFields.flatMap((name) => fields.find((field) => field.name === name) ?? []),
    options: fields.filter(({ name }) => !call.mainFields.includes(name)),
    inPath: pathParameters.map(({ name }) => name),
    takesFile: upload !== undefined,
  }
}

/** Splits a request into URL path and body. The body has the order of the form. */
export function splitRequest(call: Call, form: CallForm, request: Record<string, unknown>) {
  const values = form.inPath.map((name) => [name, String(request[name] ?? '')] as const)
  // An incomplete form keeps the placeholder in the path. Form validation stops the call before it is sent.
  const isFilled = values.every(([, value]) => isPathSegment(value))
  const path = isFilled ? apiPath(call.path, Object.fromEntries(values)) : call.path
  const fieldNames = [...form.first, ...form.options].map(({ name }) => name)
  const position = (name: string) =>
    fieldNames.includes(name) ? fieldNames.indexOf(name) : fieldNames.length
  const body = Object.fromEntries(
    Object.entries(request)
      .filter(([name]) => !form.inPath.includes(name))
      .sort(([left], [right]) => position(left) - position(right)),
  )
  return { path, body }
}
