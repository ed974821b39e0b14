import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog } from './log.ts'

let written = ''
beforeEach(() => {
  written = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written += text
    return true
  })
})
afterEach(() => void vi.restoreAllMocks())

const log = () => createLog({ level: 'info', format: 'pretty' })

describe('log lines', () => {
  it('never show a secret, on any level', () => {
    log().info(
      { key: 'abc-secret', request: { headers: { cookie: 'abc-secret' }, url: 'https://a.example' } },
      'call',
    )
    expect(written).not.toContain('abc-secret')
    expect(written).toContain('https://a.example')
  })

  it('never show a password of a URL', () => {
    const cause = new Error('no answer from https://name:abc-secret@a.example/x')
    log().info(
      { url: 'https://name:abc-secret@a.example/y', cause, list: ['ws://n:abc-secret@b.example'] },
      'call',
    )
    expect(written).not.toContain('abc-secret')
    expect(written).toContain('https://a.example/x')
    expect(written).toContain('ws://b.example')
  })

  it('show an error with its cause', () => {
    log().warn({ cause: new Error('outer', { cause: new Error('inner') }) }, 'failed')
    expect(written).toContain('outer')
    expect(written).toContain('inner')
  })

  it('cannot be broken by a value from outside', () => {
    log().info({ url: 'a\nb\u001b[31m' }, 'call')
    expect(written.split('\n')).toHaveLength(2)
    expect(written).not.toContain('\u001b')
  })

  it('leave out what is below their level', () => {
    log().debug({}, 'too much')
    expect(written).toBe('')
  })
})
