import { expect, it } from 'vitest'
import { clientTypes } from './client-types.ts'

const schemas = {
  Options: { type: 'object', properties: { mode: { enum: ['fast', 'slow'] } } },
  Request: {
    type: 'object',
    allOf: [{ $ref: '#/components/schemas/Options' }],
    properties: { url: { type: 'string', description: 'Where.' } },
    required: ['url'],
    unevaluatedProperties: false,
  },
}

it('creates one type per name and intersects an object with its included schemas', () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } }
  const responseContent = { 'application/json': { schema: { type: 'array', items: { type: 'integer' } } } }
  const post = { operationId: 'postAsk', summary: 'Ask', requestBody: { content } }
  const paths = { '/v2/ask': { post: { ...post, responses: { 200: { content: responseContent } } } } }
  expect(clientTypes({ paths, components: { schemas } }).split('\n\n').slice(1)).toEqual([
    'export type Options = {\n  mode?: "fast" | "slow"\n}',
    'export type Request = Options & {\n  /** Where. */\n  url: string\n}',
    '/** Response of: Ask. */\nexport type PostAskResponse = number[]\n',
  ])
})

it('adds no unnecessary parentheses, unions or comment endings', () => {
  const schema = (properties: object) => ({ Shape: { type: 'object', properties } })
  const text = (properties: object) => clientTypes({ paths: {}, components: { schemas: schema(properties) } })
  const modes = { type: 'array', items: { enum: ['fast', 'slow'] } }
  expect(text({ modes })).toContain('modes?: ("fast" | "slow")[]')
  expect(text({ one: { type: 'array', items: { enum: ['fast'] } } })).toContain('one?: "fast"[]')
  const pair = { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false }
  expect(text({ pair })).toContain('pair?: [number, string]')
  expect(text({ any: { anyOf: [{}, { type: 'null' }] } })).toContain('any?: unknown\n')
  expect(text({ path: { type: 'string', description: 'As in a/*/b.' } })).toContain(
    String.raw`/** As in a/*\/b. */`,
  )
})
