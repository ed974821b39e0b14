import { apiPath, isPathSegment } from '../../../client/src/api-path.ts'
import type { OpenApi } from '../api/schema.ts'
import type { Call } from './calls.ts'
import { type Field, toFields, toShape } from './form/shape.ts'

export interface CallForm {
  summary: string
  /** Fields at the top of the form, in the order of the call. The others are options. */
  mainFields: Field[]
  options: Field[]
  /** Names of fields that are URL path parameters. */
  pathParameters: string[]
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
    mainFields: call.mainFields.flatMap((name) => fields.find((field) => field.name === name) ?? []),
    options: fields.filter(({ name }) => !call.mainFields.includes(name)),
    pathParameters: pathParameters.map(({ name }) => name),
    takesFile: upload !== undefined,
  }
}

/** Splits a request into URL path and body. The body has the order of the form. */
export function splitRequest(call: Call, form: CallForm, request: Record<string, unknown>) {
  const values = form.pathParameters.map((name) => [name, String(request[name] ?? '')] as const)
  // The path of an incomplete form contains the placeholder. Form validation prevents such a call.
  const isFilled = values.every(([, value]) => isPathSegment(value))
  const path = isFilled ? apiPath(call.path, Object.fromEntries(values)) : call.path
  const fieldNames = [...form.mainFields, ...form.options].map(({ name }) => name)
  const position = (name: string) =>
    fieldNames.includes(name) ? fieldNames.indexOf(name) : fieldNames.length
  const body = Object.fromEntries(
    Object.entries(request)
      .filter(([name]) => !form.pathParameters.includes(name))
      .sort(([left], [right]) => position(left) - position(right)),
  )
  return { path, body }
}
