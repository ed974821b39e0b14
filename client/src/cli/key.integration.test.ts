import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findConnection, isLoopback } from './key.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-key-'))
  for (const [name, key] of Object.entries({
    here: 'key-here',
    project: 'key-project',
    named: 'key-named',
  })) {
    mkdirSync(join(folder, name, 'data'), { recursive: true })
    writeFileSync(join(folder, name, 'data', 'api-key'), `${key}\n`)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const connect = (options: Partial<Parameters<typeof findConnection>[0]> = {}) =>
  findConnection({
    ...{ url: undefined, key: undefined, environment: {} },
    ...{ project: join(folder, 'project'), folder: join(folder, 'here') },
    ...options,
  })

describe('findConnection', () => {
  it('uses the key option, then the key of the environment', () => {
    const environment = { WINNOW_API_KEY: 'of-environment' }
    expect(connect({ key: 'given', environment })).toMatchObject({
      apiKey: 'given',
      origin: { key: '--key' },
    })
    expect(connect({ environment }).apiKey).toBe('of-environment')
  })

  it('falls back to the key file in DATA_DIR, the current folder, then the project', () => {
    expect(connect({ environment: { DATA_DIR: join(folder, 'named', 'data') } }).apiKey).toBe('key-named')
    expect(connect().apiKey).toBe('key-here')
    expect(connect({ folder: join(folder, 'nowhere') }).apiKey).toBe('key-project')
  })

  it.each([
    'https://winnow.example',
    'http://127.0.0.1.example',
    'http://localhost.example:3002',
    'http://0.0.0.0:3002',
    'http://10.0.0.1',
  ])('does not use the key file for %s', (url) => {
    expect(connect({ url }).apiKey).toBeUndefined()
  })

  it.each(['http://127.0.0.1:3002', 'http://localhost', 'http://[::1]:3002', 'http://0x7f.1/'])(
    'uses the key file for %s',
    (url) => {
      expect(connect({ url }).apiKey).toBe('key-here')
    },
  )

  it('ignores a key file that is a folder or too large', () => {
    mkdirSync(join(folder, 'odd', 'data', 'api-key'), { recursive: true })
    mkdirSync(join(folder, 'long', 'data'), { recursive: true })
    writeFileSync(join(folder, 'long', 'data', 'api-key'), 'x'.repeat(10_000))
    for (const name of ['odd', 'long'])
      expect(connect({ folder: join(folder, name), project: undefined }).apiKey).toBeUndefined()
  })

  it('warns if the key is sent over the network in plain text', () => {
    expect(connect({ url: 'http://winnow.example', key: 'k' }).warning).toContain('https://')
    expect(connect({ url: 'https://winnow.example', key: 'k' }).warning).toBeUndefined()
  })

  it.each(['winnow.example', 'ftp://winnow.example', 'http://name:word@winnow.example'])(
    'throws for %s',
    (url) => {
      expect(() => connect({ url })).toThrow('no address of a service')
    },
  )

  it('detects loopback by the entire host name, not by its prefix', () => {
    expect(['127.0.0.1', '127.9.9.9', '[::1]', 'localhost'].every(isLoopback)).toBe(true)
    expect(['127.0.0.1.nip.example', '128.0.0.1', '[::2]', 'localhosts'].some(isLoopback)).toBe(false)
  })
})
