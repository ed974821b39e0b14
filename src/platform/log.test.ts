import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from './log.ts'

let output = ''
beforeEach(() => {
  output = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text
    return true
  })
})
afterEach(() => void vi.restoreAllMocks())

const log = () => createLog({ level: 'info', format: 'pretty' })

describe('createLog', () => {
  it('redacts secrets at any depth', () => {
    log().info(
      { key: 'abc-secret', request: { headers: { cookie: 'abc-secret' }, url: 'https://a.example' } },
      'call',
    )
    expect(output).not.toContain('abc-secret')
    expect(output).toContain('https://a.example')
  })

  it('removes user names and passwords from URLs', () => {
    const cause = new Error('no answer from https://name:abc-secret@a.example/x')
    log().info(
      { url: 'https://name:abc-secret@a.example/y', cause, list: ['ws://n:abc-secret@b.example'] },
      'call',
    )
    expect(output).not.toContain('abc-secret')
    expect(output).toContain('https://a.example/x')
    expect(output).toContain('ws://b.example')
  })

  it('writes an error with its cause', () => {
    log().warn({ cause: new Error('outer', { cause: new Error('inner') }) }, 'failed')
    expect(output).toContain('outer')
    expect(output).toContain('inner')
  })

  it('escapes control characters in a value', () => {
    log().info({ url: 'a\nb\u001b[31m' }, 'call')
    expect(output.split('\n')).toHaveLength(2)
    expect(output).not.toContain('\u001b')
  })

  it('omits lines below the configured level', () => {
    log().debug({}, 'too much')
    expect(output).toBe('')
  })
})
