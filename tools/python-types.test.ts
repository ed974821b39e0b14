import { expect, it } from 'vitest'
import { pythonNames, pythonTypes } from './python-types.ts'

const schemas = {
  Options: {
    type: 'object',
    properties: {
      mode: { enum: ['fast', 'slow', null] },
      redactPII: { type: 'boolean', description: 'Ends with a "quote"' },
    },
  },
  Choice: { oneOf: [{ $ref: '#/components/schemas/Other' }, { const: 1 }] },
  Other: { anyOf: [{ type: 'string' }, { type: 'object', properties: { kind: { const: 'a-b' } } }] },
  Diff: {
    type: 'object',
    properties: { from: { type: ['string', 'null'] }, to: { type: 'string' }, del: {} },
    required: ['from', 'to'],
  },
}
const body = {
  type: 'object',
  allOf: [{ $ref: '#/components/schemas/Options' }],
  properties: {
    url: { type: 'string', description: 'Where.' },
    ignoreInvalidURLs: { type: 'boolean' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['url'],
}
const responseSchema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'integer' } } },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const post = {
  operationId: 'postAsk',
  summary: 'Ask',
  requestBody: json(body),
  responses: { 200: json(responseSchema) },
}
const api = { paths: { '/v2/ask': { post } }, components: { schemas } }
const types = () => pythonTypes(api).split(/\n{2,}/)

it('creates a class for an object', () => {
  expect(types()).toContain(
    'class Options(TypedDict, total=False):\n    mode: Literal["fast", "slow", None]\n    redactPII: bool\n    """Ends with a "quote\\""""',
  )
  expect(pythonTypes(api)).toContain(
    'class PostAskResponse(TypedDict, total=False):\n    """Response of: Ask."""\n    items: list[int]',
  )
})

it('uses the functional form for fields that are Python keywords', () => {
  const text = pythonTypes(api)
  expect(text).toContain('_DiffNamed = TypedDict("_DiffNamed", {\n    "from": "Union[str, None]",\n})')
  expect(text).toContain(
    '_DiffNamedOptional = TypedDict("_DiffNamedOptional", {\n    "del": "Any",\n}, total=False)',
  )
  expect(text).toContain('class Diff(_DiffNamed, _DiffNamedOptional, _DiffRequired, total=False):\n    pass')
})

it('creates an alias for a union after all classes', () => {
  const text = pythonTypes(api)
  expect(text).toContain('Choice: TypeAlias = Union["Other", Literal[1]]\n')
  expect(text).toContain('Other: TypeAlias = Union[str, OtherAB]\n')
  expect(text.indexOf('class OtherAB(')).toBeLessThan(text.indexOf('Other: TypeAlias'))
})

it('converts arguments to snake case and omits positional arguments', () => {
  const argumentsClass = types().find((part) => part.startsWith('class AskArguments')) ?? ''
  expect(argumentsClass).toContain('redact_pii: bool')
  expect(pythonTypes(api)).toContain('    ignore_invalid_urls: bool\n    headers: dict[str, str]')
  expect(argumentsClass).not.toContain('url:')
  expect(pythonNames(api)).toContain(
    '"ignore_invalid_urls": "ignoreInvalidURLs",\n    "redact_pii": "redactPII",',
  )
})

it('throws for two arguments with the same Python name', () => {
  const duplicate = { ...body, allOf: [], properties: { max_age: {}, maxAge: {} } }
  const paths = { '/v2/ask': { post: { ...post, requestBody: json(duplicate) } } }
  expect(() => pythonNames({ ...api, paths })).toThrow('max_age and maxAge')
})
