import { describe, expect, it } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { readError, withCode, writeError } from './job-errors.ts'

const error = new AppError('BAD_URL', { url: 'x' }).toStored()

describe('the error of a job', () => {
  it('is read as it was written', () => {
    expect(readError(writeError(error))).toEqual(error)
    expect(readError(null)).toBeUndefined()
  })

  it('is found by its code, in whatever order it was put together', () => {
    const { code, ...rest } = error
    expect(writeError({ ...rest, code })).toMatch(new RegExp(`^${withCode('BAD_URL').slice(0, -1)}`))
  })

  it('may be a code alone, as it is where nothing may be kept', () => {
    expect(readError('{"code":"BAD_URL"}')).toEqual({ code: 'BAD_URL', error: '', detail: {} })
  })

  it('stays readable where its code is not known any more', () => {
    const text = '{"code":"OF_ANOTHER_VERSION","error":"What went wrong.","detail":{}}'
    expect(readError(text)).toEqual({ code: 'INTERNAL', error: 'What went wrong.', detail: {} })
  })

  it('names its column where it is damaged', () => {
    expect(() => readError('{"code":7}')).toThrow('jobs.error')
  })
})
