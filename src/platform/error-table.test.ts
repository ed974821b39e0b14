import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { describeError, errorCodes } from './errors.ts'

describe.each(errorCodes.map((code) => [code]))('%s', (code) => {
  const { status, message } = describeError(code)

  it('has an HTTP error status', () => {
    expect(STATUS_CODES[status]).toBeDefined()
    expect(status).toBeGreaterThanOrEqual(400)
  })

  it('has a valid code and a message of one or more sentences', () => {
    expect(code).toMatch(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/)
    expect(message).toMatch(/^[A-Z].{10,}[.>]$/s)
    expect(message.length).toBeLessThan(400)
  })
})
