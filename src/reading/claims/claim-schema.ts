import type { ObjectWish, ValueWish, Wish } from '../schema/wish.ts'

/** What a language model is asked for: each value together with the words of the page that say it. */
export function claimSchema(wish: ObjectWish): Record<string, unknown> {
  return objectSchema(wish, false)
}

function schemaOf(wish: Wish): Record<string, unknown> {
  if (wish.kind === 'object') return objectSchema(wish, true)
  if (wish.kind === 'list') return { ...described(wish), type: 'array', items: schemaOf(wish.item) }
  return {
    ...described(wish),
    type: ['object', 'null'],
    properties: {
      value: valueSchema(wish),
      quote: { type: 'string', description: 'The exact words of the page that state the value.' },
    },
    required: ['value', 'quote'],
    additionalProperties: false,
  }
}

function objectSchema(wish: ObjectWish, isNullable: boolean): Record<string, unknown> {
  const properties = Object.fromEntries([...wish.fields].map(([name, field]) => [name, schemaOf(field)]))
  return {
    ...described(wish),
    type: isNullable ? ['object', 'null'] : 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const types = { text: 'string', number: 'number', integer: 'integer', boolean: 'boolean', any: 'string' }

function valueSchema({ kind, choices, format }: ValueWish): Record<string, unknown> {
  if (choices) return { enum: choices }
  return { type: types[kind], ...(format === undefined ? {} : { description: `format: ${format}` }) }
}

function described({ label }: Wish): Record<string, unknown> {
  return label.description === '' ? {} : { description: label.description }
}
