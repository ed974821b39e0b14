import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from './settings.ts'

describe('settings', () => {
  it('need nothing to be set', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({ role: 'all', http: { host: '127.0.0.1', port: 3002, auth: true } })
    expect(settings.store.databaseUrl).toBeUndefined()
  })

  it('take an empty variable for one that is not set', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' }).http.port).toBe(3002)
  })

  it('list every problem at once, with the variable and what was found', () => {
    const read = () => readSettings({ PORT: 'x', ROLE: 'boss', RATE_PER_MINUTE: '0' })
    expect(read).toThrow(/PORT is a whole number \(found "x"\)[\s\S]*ROLE[\s\S]*RATE_PER_MINUTE/)
  })

  it('never print a secret', () => {
    expect(() => readSettings({ API_KEY: 'short' })).toThrow(/API_KEY/)
    expect(() => readSettings({ API_KEY: 'short' })).not.toThrow(/short/)
  })

  it('read the value of a variable from the file that NAME_FILE names', () => {
    const file = secretFile('fc-key-in-a-file\n')
    expect(readSettings({ API_KEY_FILE: file }).firstKey).toBe('fc-key-in-a-file')
  })

  it('name a file that is missing, empty or one of two values, and not what is in it', () => {
    const [secret, empty] = [secretFile('fc-key-in-a-file'), secretFile('')]
    const read = () =>
      readSettings({
        ...{ API_KEY: 'fc-another-key', API_KEY_FILE: secret },
        ...{ PROFILE_KEY_FILE: empty, AWS_SECRET_ACCESS_KEY_FILE: '/nowhere/secret' },
      })
    expect(read).toThrow(/API_KEY is set twice/)
    expect(read).toThrow(/PROFILE_KEY_FILE names a file that is empty/)
    expect(read).toThrow(/AWS_SECRET_ACCESS_KEY_FILE names a file that cannot be read: ENOENT/)
    expect(read).not.toThrow(/fc-/)
  })

  it('warn about a removed variable that is set, and ignore it', () => {
    const { warnings } = readSettings({ LEARNED_EXTRACTORS: 'nonsense' })
    expect(warnings).toEqual([expect.stringMatching(/^LEARNED_EXTRACTORS was removed and is ignored: /)])
    expect(readSettings({ LEARNED_EXTRACTORS: '' }).warnings).toEqual([])
  })

  it('warn about removed search providers, and ignore them', () => {
    const settings = readSettings({
      SEARCH_PROVIDERS: 'exa,brave,searchapi',
      SEARCH_KEYS: 'exa=word,brave=word',
      SEARCH_URLS: 'searchapi=http://10.0.0.1',
    })
    expect(settings.warnings).toEqual([
      expect.stringMatching(/^SEARCH_PROVIDERS .* ignored: exa, searchapi\. Use searxng/),
      expect.stringMatching(/^SEARCH_KEYS .* ignored: exa\./),
      expect.stringMatching(/^SEARCH_URLS .* ignored: searchapi\./),
    ])
    expect(settings.search).toMatchObject({
      ...{ providers: ['brave'], keys: new Map([['brave', 'word']]), urls: new Map() },
    })
    expect(settings.warnings.join()).not.toContain('word')
  })

  it('ask no search provider if all that are named were removed', () => {
    expect(readSettings({ SEARCH_PROVIDERS: 'exa' }).search.providers).toEqual([])
  })

  it('refuse AUTH=off for any host but loopback', () => {
    expect(() => readSettings({ AUTH: 'off', HOST: '0.0.0.0' })).toThrow(/loopback/)
    expect(readSettings({ AUTH: 'off' }).http.auth).toBe(false)
  })

  it('refuse a largest body that is more than the share of a team', () => {
    expect(() => readSettings({ MAX_REQUEST_MB: '300' })).toThrow(/MAX_UNFINISHED_MB is at least twice/)
    expect(() => readSettings({ MAX_REQUEST_MB: '300', MAX_UNFINISHED_MB: '600' })).not.toThrow()
  })

  it('read the addresses and networks of trusted proxies, and refuse names and ports', () => {
    const { trustedProxies } = readSettings({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,[fd00::]/8' }).http
    expect(trustedProxies).toMatchObject([
      { address: '127.0.0.1', prefix: 32 },
      { address: '10.0.0.0', prefix: 8 },
      { address: 'fd00::', family: 'ipv6', prefix: 8 },
    ])
    for (const wrong of ['proxy.example', '10.0.0.1:80', '10.0.0.0/33'])
      expect(() => readSettings({ TRUSTED_PROXIES: wrong })).toThrow(/TRUSTED_PROXIES contains/)
  })

  it('read a bucket with its server, region and prefix', () => {
    const settings = readSettings({
      BLOBS_URL: 's3://pages/some/prefix?endpoint=http://127.0.0.1:9000&region=eu-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    })
    expect(settings.store.bucket).toMatchObject({
      endpoint: 'http://127.0.0.1:9000/pages',
      region: 'eu-1',
      prefix: 'some/prefix/',
    })
  })

  it.each(['127.0.0.1', '10.1.0.0/16', 'intranet.example:8080', '[fd00::]/8', '[::1]:80', 'fd00::1'])(
    'allow %s to be opened',
    (rule) => {
      expect(readSettings({ ALLOW_PRIVATE_NETWORK: rule }).allowPrivateNetwork).toHaveLength(1)
    },
  )

  it.each(['10.0.0.0/33', '999.1.1.1', 'a b', '10.0.0.1:99999', '*', 'http://host'])(
    'refuse to open %s',
    (rule) => {
      expect(() => readSettings({ ALLOW_PRIVATE_NETWORK: rule })).toThrow(/ALLOW_PRIVATE_NETWORK/)
    },
  )

  it('read a model by address, key and name', () => {
    const model = { MODEL_URL: 'https://models.example/v1', MODEL_KEY: 'word', MODEL_NAME: 'small' }
    expect(readSettings(model).model).toEqual({
      ...{ protocol: 'openai', url: model.MODEL_URL, key: 'word', name: 'small' },
      ...{ timeoutMs: 120_000, concurrency: 32, maxTokensPerCall: 40_000, tokensPerTeamPerDay: 0 },
    })
    expect(readSettings({}).model).toBeUndefined()
    expect(readSettings({ MODEL_TIMEOUT_MS: '5000' }).model).toBeUndefined()
  })

  it('need no address for a model whose protocol is named', () => {
    const model = { MODEL_PROTOCOL: 'anthropic', MODEL_KEY: 'word', MODEL_NAME: 'small' }
    expect(readSettings(model).model).toMatchObject({ protocol: 'anthropic', url: undefined, name: 'small' })
  })

  it.each([
    ['alone', { MODEL_PROTOCOL: 'google' }],
    ['without a key', { MODEL_PROTOCOL: 'google', MODEL_NAME: 'small' }],
    ['that is no name', { MODEL_PROTOCOL: 'Open AI', MODEL_KEY: 'word', MODEL_NAME: 'small' }],
  ])('refuse a protocol %s', (_, model) => {
    expect(() => readSettings(model)).toThrow(/MODEL_PROTOCOL/)
  })

  it.each([
    ['an address alone', { MODEL_URL: 'https://models.example/v1' }],
    ['a key without an address', { MODEL_KEY: 'word', MODEL_NAME: 'small' }],
    ['another scheme', { MODEL_URL: 'ftp://models.example', MODEL_KEY: 'word', MODEL_NAME: 'small' }],
    ['a script that is not there', { MODEL_URL: 'script:/no/such/file.json' }],
  ])('refuse a model with %s, and never print its key', (_, model) => {
    expect(() => readSettings(model)).toThrow(/MODEL_URL/)
    expect(() => readSettings(model)).not.toThrow(/word/)
  })
})

function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}
