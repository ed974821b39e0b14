import { describe, expect, it } from 'vitest'
import { shareIncluded } from './included-fields.ts'

const place = '#/components/schemas/'
const field = { type: 'string' }
const options = () => ({ type: 'object', properties: { mode: field }, additionalProperties: false })
const request = (mode: object) => ({
  ...{ type: 'object', properties: { url: field, mode }, additionalProperties: false },
  allOf: [{ $ref: `${place}Options` }],
})

describe('what an object includes', () => {
  it('is taken out of it, and both stay closed', () => {
    const own = { type: 'object', properties: { options: { $ref: `${place}Options` } } }
    const api = { components: { schemas: { Options: options(), Request: request(field), Other: own } } }
    shareIncluded(api)
    expect(api.components.schemas).toEqual({
      Options: { type: 'object', properties: { mode: field } },
      Request: {
        ...{ type: 'object', properties: { url: field }, unevaluatedProperties: false },
        allOf: [{ $ref: `${place}Options` }],
      },
      Other: {
        type: 'object',
        properties: { options: { $ref: `${place}Options`, unevaluatedProperties: false } },
      },
    })
  })

  it('must be the same in both', () => {
    const api = { components: { schemas: { Options: options(), Request: request({ type: 'number' }) } } }
    expect(() => shareIncluded(api)).toThrow(/Request includes .*Options, but its mode differs/)
  })

  it('must be described', () => {
    expect(() => shareIncluded({ components: { schemas: { Request: request(field) } } })).toThrow(
      /Request includes .*Options, which is not described/,
    )
  })
})
