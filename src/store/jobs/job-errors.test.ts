import { describe, expect, it } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { readError, withCode, writeError } from './job-errors.ts'

const error = new AppError('BAD_URL', { url: 'x' }).toStored()

describe('readError', () => {
  it('returns the written error', () => {
    expect(readError(writeError(error))).toEqual(error)
    expect(readError(null)).toBeUndefined()
  })

  it('stores the code first, whatever the order of the properties', () => {
    const { code, ...rest } = error
    expect(writeError({ ...rest, code })).toMatch(new RegExp(`^${withCode('BAD_URL').slice(0, -1)}`))
  })

  it('accepts an error that consists of its code, as with zero retention', () => {
    expect(readError('{"code":"BAD_URL"}')).toEqual({ code: 'BAD_URL', error: '', detail: {} })
  })

  it('returns INTERNAL for an unknown code', () => {
    const text = '{"code":"OF_ANOTHER_VERSION","error":"What went wrong.","detail":{}}'
    expect(readError(text)).toEqual({ code: 'INTERNAL', error: 'What went wrong.', detail: {} })
  })

  it('names the column of a damaged error', () => {
    expect(() => readError('{"code":7}')).toThrow('jobs.error')
  })
})
