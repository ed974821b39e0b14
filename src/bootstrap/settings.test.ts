import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from './settings.ts'

describe('readSettings()', () => {
  it('needs no variables', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({ role: 'all', http: { host: '127.0.0.1', port: 3002, auth: true } })
    expect(settings.store.databaseUrl).toBeUndefined()
  })

  it('treats an empty variable as not set', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' }).http.port).toBe(3002)
  })

  it('reports all problems together, with variable and value', () => {
    const read = () => readSettings({ PORT: 'x', ROLE: 'boss', RATE_PER_MINUTE: '0' })
    expect(read).toThrow(/PORT is a whole number \(found "x"\)[\s\S]*ROLE[\s\S]*RATE_PER_MINUTE/)
  })

  it('never prints a secret', () => {
    expect(() => readSettings({ API_KEY: 'short' })).toThrow(/API_KEY/)
    expect(() => readSettings({ API_KEY: 'short' })).not.toThrow(/short/)
  })

  it('reads a variable from the file in NAME_FILE', () => {
    const file = secretFile('fc-key-in-a-file\n')
    expect(readSettings({ API_KEY_FILE: file }).firstKey).toBe('fc-key-in-a-file')
  })

  it('reports a missing file, an empty file and a value that is set twice, without printing contents', () => {
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

  it('warns about a removed variable that is set, and ignores it', () => {
    const { warnings } = readSettings({ LEARNED_EXTRACTORS: 'nonsense' })
    expect(warnings).toEqual([expect.stringMatching(/^LEARNED_EXTRACTORS was removed and is ignored: /)])
    expect(readSettings({ LEARNED_EXTRACTORS: '' }).warnings).toEqual([])
  })

  it('warns about removed search providers, and ignores them', () => {
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

  it('uses no search provider if all listed ones were removed', () => {
    expect(readSettings({ SEARCH_PROVIDERS: 'exa' }).search.providers).toEqual([])
  })

  it('rejects AUTH=off for a host other than loopback', () => {
    expect(() => readSettings({ AUTH: 'off', HOST: '0.0.0.0' })).toThrow(/loopback/)
    expect(readSettings({ AUTH: 'off' }).http.auth).toBe(false)
  })

  it('rejects MAX_REQUEST_MB above the share of one team', () => {
    expect(() => readSettings({ MAX_REQUEST_MB: '300' })).toThrow(/MAX_UNFINISHED_MB is at least twice/)
    expect(() => readSettings({ MAX_REQUEST_MB: '300', MAX_UNFINISHED_MB: '600' })).not.toThrow()
  })

  it('reads addresses and networks of trusted proxies, and rejects names and ports', () => {
    const { trustedProxies } = readSettings({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,[fd00::]/8' }).http
    expect(trustedProxies).toMatchObject([
      { address: '127.0.0.1', prefix: 32 },
      { address: '10.0.0.0', prefix: 8 },
      { address: 'fd00::', family: 'ipv6', prefix: 8 },
    ])
    for (const rule of ['proxy.example', '10.0.0.1:80', '10.0.0.0/33'])
      expect(() => readSettings({ TRUSTED_PROXIES: rule })).toThrow(/TRUSTED_PROXIES contains/)
  })

  it('reads the server, region and prefix of a bucket', () => {
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
    'accepts %s in ALLOW_PRIVATE_NETWORK',
    (rule) => {
      expect(readSettings({ ALLOW_PRIVATE_NETWORK: rule }).allowPrivateNetwork).toHaveLength(1)
    },
  )

  it.each(['10.0.0.0/33', '999.1.1.1', 'a b', '10.0.0.1:99999', '*', 'http://host'])(
    'rejects %s in ALLOW_PRIVATE_NETWORK',
    (rule) => {
      expect(() => readSettings({ ALLOW_PRIVATE_NETWORK: rule })).toThrow(/ALLOW_PRIVATE_NETWORK/)
    },
  )

  it('reads a model by URL, key and name', () => {
    const model = { MODEL_URL: 'https://models.example/v1', MODEL_KEY: 'word', MODEL_NAME: 'small' }
    expect(readSettings(model).model).toEqual({
      ...{ protocol: 'openai', url: model.MODEL_URL, key: 'word', name: 'small' },
      ...{ timeoutMs: 120_000, concurrency: 32, maxTokensPerCall: 40_000, tokensPerTeamPerDay: 0 },
    })
    expect(readSettings({}).model).toBeUndefined()
    expect(readSettings({ MODEL_TIMEOUT_MS: '5000' }).model).toBeUndefined()
  })

  it('needs no URL for a model with a protocol', () => {
    const model = { MODEL_PROTOCOL: 'anthropic', MODEL_KEY: 'word', MODEL_NAME: 'small' }
    expect(readSettings(model).model).toMatchObject({ protocol: 'anthropic', url: undefined, name: 'small' })
  })

  it.each([
    ['alone', { MODEL_PROTOCOL: 'google' }],
    ['without a key', { MODEL_PROTOCOL: 'google', MODEL_NAME: 'small' }],
    ['that is no name', { MODEL_PROTOCOL: 'Open AI', MODEL_KEY: 'word', MODEL_NAME: 'small' }],
  ])('rejects a protocol %s', (_, model) => {
    expect(() => readSettings(model)).toThrow(/MODEL_PROTOCOL/)
  })

  it.each([
    ['a URL alone', { MODEL_URL: 'https://models.example/v1' }],
    ['a key without a URL', { MODEL_KEY: 'word', MODEL_NAME: 'small' }],
    ['another scheme', { MODEL_URL: 'ftp://models.example', MODEL_KEY: 'word', MODEL_NAME: 'small' }],
    ['a script that is not there', { MODEL_URL: 'script:/no/such/file.json' }],
  ])('rejects a model with %s, and never prints its key', (_, model) => {
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
