import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { forbiddenTargets } from '../site/routes/redirects.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let secret: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite()
  secret = await startSite()
  // Only the one site is open; the second one stands for everything else on this machine.
  own = await startOwnService({ ALLOW_PRIVATE_NETWORK: `127.0.0.1:${site.port}` })
})
afterAll(async () => {
  await own.remove()
  await Promise.all([site.stop(), secret.stop()])
})

const scrape = (url: string) => own.call('POST', '/v2/scrape', { body: { url } })

describe('the network guard', () => {
  it('opens exactly the address that is named', async () => {
    expect((await scrape(`${site.url}/pages/1`)).status).toBe(200)
  })

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127.0.0.2',
    'localhost',
    '[::1]',
    '[::]',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    'a.example@127.0.0.1',
  ])('does not reach this machine as %s', async (host) => {
    const { status, body } = await scrape(`http://${host}:${secret.port}/`)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
    expect(secret.requests).toEqual([])
  })

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '[fd00::1]',
    '[fe80::1]',
  ])('refuses %s', async (host) => {
    const { status, body } = await scrape(`http://${host}/`)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
  })

  it.each(Object.keys(forbiddenTargets))('does not follow a redirect to %s', async (kind) => {
    const { status, body } = await scrape(`${site.url}/redirect/forbidden/${kind}`)
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
  })

  it('does not follow a redirect to another port of an open address', async () => {
    const target = encodeURIComponent(`${secret.url}/`)
    const { body } = await scrape(`${site.url}/redirect/to?url=${target}`)
    expect(body.code).toBe('TARGET_FORBIDDEN')
    expect(secret.requests).toEqual([])
  })

  it('refuses ports that no browser speaks to', async () => {
    const { body } = await scrape('http://127.0.0.1:25/')
    expect(body.code).toBe('TARGET_FORBIDDEN')
  })

  it('does not tell which address a name resolved to', async () => {
    const { body } = await scrape(`http://localhost:${secret.port}/`)
    expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|::1/)
  })
})
