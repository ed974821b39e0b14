import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findConnection, isLoopback } from './key.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-key-'))
  for (const [place, key] of Object.entries({
    here: 'key-here',
    project: 'key-project',
    named: 'key-named',
  })) {
    mkdirSync(join(folder, place, 'data'), { recursive: true })
    writeFileSync(join(folder, place, 'data', 'api-key'), `${key}\n`)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const connect = (more: Partial<Parameters<typeof findConnection>[0]> = {}) =>
  findConnection({
    ...{ url: undefined, key: undefined, environment: {} },
    ...{ project: join(folder, 'project'), folder: join(folder, 'here') },
    ...more,
  })

describe('the key', () => {
  it('is the one that was given, then that of the environment', () => {
    const environment = { WINNOW_API_KEY: 'of-environment' }
    expect(connect({ key: 'given', environment })).toMatchObject({
      apiKey: 'given',
      origin: { key: '--key' },
    })
    expect(connect({ environment }).apiKey).toBe('of-environment')
  })

  it('is else that of this machine: DATA_DIR, this folder, the project', () => {
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
  ])('of this machine does not go to %s', (url) => {
    expect(connect({ url }).apiKey).toBeUndefined()
  })

  it.each(['http://127.0.0.1:3002', 'http://localhost', 'http://[::1]:3002', 'http://0x7f.1/'])(
    'goes to %s',
    (url) => {
      expect(connect({ url }).apiKey).toBe('key-here')
    },
  )

  it('is not taken from what is no file, or a file of something else', () => {
    mkdirSync(join(folder, 'odd', 'data', 'api-key'), { recursive: true })
    mkdirSync(join(folder, 'long', 'data'), { recursive: true })
    writeFileSync(join(folder, 'long', 'data', 'api-key'), 'x'.repeat(10_000))
    for (const place of ['odd', 'long'])
      expect(connect({ folder: join(folder, place), project: undefined }).apiKey).toBeUndefined()
  })

  it('is warned about where it goes over the network in plain text', () => {
    expect(connect({ url: 'http://winnow.example', key: 'k' }).warning).toContain('https://')
    expect(connect({ url: 'https://winnow.example', key: 'k' }).warning).toBeUndefined()
  })

  it.each(['winnow.example', 'ftp://winnow.example', 'http://name:word@winnow.example'])(
    '%s is no address',
    (url) => {
      expect(() => connect({ url })).toThrow('no address of a service')
    },
  )

  it('knows loopback by the address, not by its beginning', () => {
    expect(['127.0.0.1', '127.9.9.9', '[::1]', 'localhost'].every(isLoopback)).toBe(true)
    expect(['127.0.0.1.nip.example', '128.0.0.1', '[::2]', 'localhosts'].some(isLoopback)).toBe(false)
  })
})
