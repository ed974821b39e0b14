import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import { storedJson } from './stored-json.ts'

const column = storedJson(
  { table: 'webhooks', column: 'headers' },
  z.looseObject({ name: z.string(), added: z.boolean().default(true) }),
)

function failureOf(text: string): AppError {
  try {
    column.read(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
  }
  throw new Error('It was read.')
}

describe('a stored column', () => {
  it('reads what it wrote', () => {
    const value = { name: 'ä', added: false }
    expect(column.read(column.write(value))).toEqual(value)
  })

  it('reads what another version wrote: with a default for what it did not know, and what is not known here', () => {
    expect(column.read('{"name":"a","other":[1]}')).toEqual({ name: 'a', added: true, other: [1] })
  })

  it.each([
    ['not JSON', '{"name":"secret'],
    ['empty', ''],
    ['of another shape', '{"name":["secret"]}'],
    ['null', 'null'],
  ])('names table and column where the text is %s, and nothing of the text', (_, text) => {
    const error = failureOf(text)
    expect(error).toMatchObject({ code: 'INTERNAL', detail: { table: 'webhooks', column: 'headers' } })
    expect(error.message).toContain('webhooks.headers')
    expect(String(error.cause)).toContain('webhooks.headers: ')
    expect(`${error.message}${String(error.cause)}${JSON.stringify(error.detail)}`).not.toContain('secret')
  })
})
