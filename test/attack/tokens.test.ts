import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { upgradeStatus } from '../sessions.ts'
import { type Site, startSite } from '../site/site.ts'
import { type ApiRoute, apiRoutes, bodyFor, mcpRoute } from './api-routes.ts'
import { addTableRow, attackClass } from './attack.ts'

let site: Site
let own: OwnService
let revoked = ''
/** URLs that contain a signature or a token, so that they need no key. */
const signedUrls: { file: URL; cdp?: URL; view?: URL; control?: URL; otherCdp?: URL } = {
  file: new URL('http://a.example'),
}

beforeAll(async () => {
  site = await startSite()
  own = await startOwnService({ LOG_LEVEL: 'debug' })
  revoked = await revokedKey()
  const body = {
    url: `${site.url}/pages/1`,
    formats: ['screenshot'],
    headers: { authorization: 'Bearer secret-of-a-caller' },
  }
  const shot = await own.call('POST', '/v2/scrape', { body })
  if (shot.status === 200) signedUrls.file = new URL(shot.body.data.screenshot)
  const [firstSession, otherSession] = [
    await own.call('POST', '/v2/browser', { body: {} }),
    await own.call('POST', '/v2/browser', { body: {} }),
  ]
  if (firstSession.status !== 200) return
  signedUrls.cdp = new URL(firstSession.body.cdpUrl)
  signedUrls.view = new URL(firstSession.body.liveViewUrl)
  signedUrls.control = new URL(firstSession.body.interactiveLiveViewUrl)
  signedUrls.otherCdp = new URL(otherSession.body.cdpUrl)
}, 60_000)
afterAll(async () => {
  await own.remove()
  await site.stop()
})

async function revokedKey(): Promise<string> {
  const createdKey = await runCommand(['key', 'create', '--team', 'gone'], own.environment)
  const key = createdKey.stdout.split('\n')[0] ?? ''
  const listed = await runCommand(['key', 'list'], own.environment)
  const id =
    listed.stdout
      .split('\n')
      .find((line) => line.includes('gone'))
      ?.split(/\s+/)[0] ?? ''
  await runCommand(['key', 'revoke', '--id', id], own.environment)
  return key
}

/** Values of the `Authorization` header. Undefined means that the header is absent. */
const wrongKeys: Record<string, () => string | undefined> = {
  none: () => undefined,
  'nothing after the scheme': () => 'Bearer ',
  'another scheme': () => `Basic ${own.key}`,
  'no scheme': () => own.key,
  'the scheme of processes': () => `Peer ${own.key}`,
  'a key that never was': () => 'Bearer fc-11111111111111111111111111111111',
  'a key that was revoked': () => `Bearer ${revoked}`,
  'a key cut short': () => `Bearer ${own.key.slice(0, -1)}`,
  'a key with one more letter': () => `Bearer ${own.key}0`,
  'a key in capitals': () => `Bearer ${own.key.toUpperCase()}`,
  'two keys': () => `Bearer ${own.key}, Bearer ${own.key}`,
  'a huge key': () => `Bearer ${'a'.repeat(12_000)}`,
  'a quote': () => `Bearer ' or 1=1 --`,
  'what clients send without one': () => 'Bearer undefined',
  null: () => 'Bearer null',
  'a wildcard': () => 'Bearer %',
}

/** All routes except the one that returns the key of this machine for a code; see e2e/console-key for that one. */
const keyedRoutes = [...apiRoutes.filter(({ path }) => path !== '/v2/console/key'), mcpRoute]

attackClass<ApiRoute & { wrong: string }>({
  name: 'tokens: every route without a valid key',
  vectors: keyedRoutes.flatMap((route) => Object.keys(wrongKeys).map((wrong) => ({ ...route, wrong }))),
  short: 100,
  concurrency: 8,
  run: async ({ wrong, ...route }) => {
    const authorization = wrongKeys[wrong]?.()
    const path = route.path.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000')
    const { status, body } = await callAt(own.url, route.method, path, {
      key: null,
      body: route.takesBody ? bodyFor(route, site.url) : undefined,
      headers: authorization === undefined ? {} : { authorization },
    })
    return status === 401 && body.code === 'UNAUTHORIZED'
      ? undefined
      : `answered ${status} ${JSON.stringify(body)}`
  },
})

const changeLetter = (text: string, index: number) =>
  `${text.slice(0, index)}${text[index] === 'A' ? 'B' : 'A'}${text.slice(index + 1)}`
const noId = '00000000-0000-7000-8000-000000000000'

/** Changes of a signed URL. Each returns a different URL. */
const fileChanges: Record<string, (url: URL) => void> = {
  'no signature': (url) => url.searchParams.delete('signature'),
  'an empty signature': (url) => url.searchParams.set('signature', ''),
  'no end': (url) => url.searchParams.delete('expires'),
  'a later end': (url) =>
    url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1)),
  'an end that has passed': (url) => url.searchParams.set('expires', '1'),
  'an end of letters': (url) => url.searchParams.set('expires', 'NaN'),
  'an end with a sign': (url) => url.searchParams.set('expires', `+${url.searchParams.get('expires')}`),
  'an end with a fraction': (url) => url.searchParams.set('expires', `${url.searchParams.get('expires')}.0`),
  'another id': (url) => (url.pathname = `/v2/files/${noId}`),
  'a path that leaves the folder': (url) => (url.pathname = '/v2/files/..%2f..%2fwinnow.sqlite'),
  'a signature cut short': (url) =>
    url.searchParams.set('signature', (url.searchParams.get('signature') ?? '').slice(0, -1)),
  'a signature and more': (url) =>
    url.searchParams.set('signature', `${url.searchParams.get('signature')}AA`),
  'two signatures': (url) => url.searchParams.append('signature', 'x'),
  ...Object.fromEntries(
    [0, 7, 20, 41].map((index) => [
      `letter ${index} of the signature`,
      (url: URL) =>
        url.searchParams.set('signature', changeLetter(url.searchParams.get('signature') ?? '', index)),
    ]),
  ),
}

attackClass({
  name: 'tokens: addresses of files that were changed',
  vectors: Object.keys(fileChanges),
  run: async (change) => {
    const url = new URL(signedUrls.file)
    fileChanges[change]?.(url)
    const { status } = await callAt(own.url, 'GET', url.pathname + url.search, {})
    return status === 200 || status >= 500 ? `answered ${status}` : undefined
  },
})

interface SessionAddress {
  what: string
  address: () => URL | undefined
}

const withToken = (url: URL | undefined, token: string | null | undefined): URL | undefined => {
  if (!url) return undefined
  const copy = new URL(url)
  if (typeof token === 'string') copy.searchParams.set('token', token)
  else copy.searchParams.delete('token')
  return copy
}
const tokenOf = (url: URL | undefined) => url?.searchParams.get('token')

const wrongAddresses: SessionAddress[] = (['cdp', 'view', 'control'] as const).flatMap((name) => {
  const url = () => signedUrls[name]
  const token = () => tokenOf(url()) ?? ''
  return [
    { what: `${name} without a token`, address: () => withToken(url(), undefined) },
    { what: `${name} with an empty token`, address: () => withToken(url(), '') },
    { what: `${name} with a changed token`, address: () => withToken(url(), changeLetter(token(), 5)) },
    { what: `${name} with a token cut short`, address: () => withToken(url(), token().slice(1)) },
    { what: `${name} with the key`, address: () => withToken(url(), own.key) },
    {
      what: `${name} with the token of another session`,
      address: () => withToken(url(), tokenOf(signedUrls.otherCdp)),
    },
    ...(['cdp', 'view', 'control'] as const)
      .filter((another) => another !== name)
      .map((another) => ({
        what: `${name} with the token of ${another}`,
        address: () => withToken(url(), tokenOf(signedUrls[another])),
      })),
    {
      what: `${name} of no session`,
      address: () => {
        const copy = url() && new URL(String(url()))
        if (copy) copy.pathname = copy.pathname.replace(/[^/]+$/, noId)
        return copy
      },
    },
  ]
})

attackClass<SessionAddress>({
  name: 'tokens: addresses of sessions that were changed',
  vectors: wrongAddresses,
  run: async ({ address }) => {
    const url = address()
    if (!url) return undefined
    url.protocol = 'ws:'
    const status = await upgradeStatus(url.href)
    return [401, 403, 404, 410].includes(status) ? undefined : `answered ${status}`
  },
})

attackClass({
  name: 'tokens: the route of processes',
  vectors: [
    '',
    'Peer',
    'Peer x',
    'Peer undefined',
    'KEY',
    'Peer TOKEN',
    `Peer ${'a'.repeat(43)}`,
    `Peer ${'a'.repeat(8000)}`,
  ].flatMap((authorization) =>
    ['execute', 'prompt', 'end', 'constructor', '__proto__', 'toString'].map((name) => ({
      authorization,
      name,
    })),
  ),
  concurrency: 4,
  run: async ({ authorization, name }) => {
    const header = authorization
      .replace('KEY', `Bearer ${own.key}`)
      .replace('TOKEN', tokenOf(signedUrls.cdp) ?? 'x')
    const id = signedUrls.cdp?.pathname.split('/').at(-1) ?? noId
    const { status } = await callAt(own.url, 'POST', `/internal/sessions/${id}/${name}`, {
      ...{ body: { code: '1', language: 'node', timeoutMs: 1000 }, headers: { authorization: header } },
    })
    return status === 401 ? undefined : `answered ${status}`
  },
})

it('withstands tokens: the log contains none of them', async () => {
  await own.call('GET', `${signedUrls.file.pathname}${signedUrls.file.search}`)
  const log = own.output().replace(/Key of the first team[\s\S]*?\n\n[\s\S]*?\n\n/, '')
  const secrets = [own.key, revoked, 'secret-of-a-caller', signedUrls.file.searchParams.get('signature')]
  const tokens = [signedUrls.cdp, signedUrls.view, signedUrls.control, signedUrls.otherCdp].map(tokenOf)
  const known = [...secrets, ...tokens].filter(
    (secret): secret is string => typeof secret === 'string' && secret !== '',
  )
  const leaked = known.filter((secret) => log.includes(secret))
  addTableRow({ name: 'tokens: in the log', vectors: known.length, hits: leaked.length })
  expect(leaked).toEqual([])
})

it('compares secrets in constant time', () => {
  const src = join(import.meta.dirname, '..', '..', 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.test)\.ts$/.test(path),
  )
  const unsafeFiles = files.filter((path) =>
    /(?:token|signature|secret)\w*\)? [!=]==? (?!undefined|null|''|0\b)|[!=]== (?:\w+\.)?(?:token|signature|secret)\b/.test(
      readFileSync(join(src, path), 'utf8').replaceAll(/^\s*(?:\*|\/\/).*$/gm, ''),
    ),
  )
  expect(unsafeFiles).toEqual([])
})
