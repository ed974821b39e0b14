import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { describeError, errorCodes } from './errors.ts'

describe.each(errorCodes.map((code) => [code]))('%s', (code) => {
  const { status, message } = describeError(code)

  it('has a status of HTTP that stands for an error', () => {
    expect(STATUS_CODES[status]).toBeDefined()
    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('is one sentence or more, in plain words', () => {
    expect(code).toMatch(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/)
    expect(message).toMatch(/^[A-Z].{10,}[.>]$/s)
    expect(message.length).toBeLessThan(400)
  })
})
