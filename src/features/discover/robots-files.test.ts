import { describe, expect, it } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { createRobotsCache, createRobotsCheck, readSiteRobots } from './robots-files.ts'
import type { SiteFile } from './site-files.ts'

const signal = new AbortController().signal
const forbidding = 'user-agent: *\ndisallow: /'

function createFiles(getResponse: () => Partial<SiteFile>) {
  let requestCount = 0
  const read = async (): Promise<SiteFile> => {
    requestCount += 1
    return {
      status: 200,
      url: 'https://a.example/robots.txt',
      contentType: undefined,
      bytes: new Uint8Array(),
      ...getResponse(),
    }
  }
  return { files: { read }, asked: () => requestCount }
}

async function checkAllowed(getResponse: () => Partial<SiteFile>) {
  const { robots, problem } = await readSiteRobots(createFiles(getResponse).files, 'team', {
    origin: 'https://a.example',
    signal,
  })
  return { isAllowed: (await robots.rulesFor('Foo')).allows('/x'), problem }
}

const fail = (error: unknown) => () => {
  throw error
}

describe('readSiteRobots', () => {
  it('applies the rules of the file', async () => {
    expect((await checkAllowed(() => ({ bytes: Buffer.from(forbidding) }))).isAllowed).toBe(false)
  })

  it.each([404, 403, 410])('allows everything if the response is %i', async (status) => {
    expect(await checkAllowed(() => ({ status }))).toEqual({ isAllowed: true, problem: undefined })
  })

  it.each([500, 503, 429])('allows nothing if the response is %i, and returns the reason', async (status) => {
    const { isAllowed, problem } = await checkAllowed(() => ({ status }))
    expect(isAllowed).toBe(false)
    expect(problem).toContain(String(status))
  })

  it('allows nothing if the connection fails', async () => {
    const { isAllowed, problem } = await checkAllowed(fail(new AppError('SCRAPE_SITE_ERROR')))
    expect(isAllowed).toBe(false)
    expect(problem).toContain('cannot be read')
  })

  it.each(['SCRAPE_DNS_RESOLUTION_ERROR', 'TARGET_FORBIDDEN', 'SCRAPE_SSL_ERROR'] as const)(
    'allows everything after %s, so that the page reports it',
    async (code) => {
      expect((await checkAllowed(fail(new AppError(code)))).isAllowed).toBe(true)
    },
  )

  it('requests the file once for many pages, and again after a failure', async () => {
    const good = createFiles(() => ({ bytes: Buffer.from(forbidding) }))
    const getRobots = createRobotsCache(good.files, () => 0)
    await Promise.all([1, 2, 3].map(() => getRobots('team', 'https://a.example')))
    expect(good.asked()).toBe(1)
    await getRobots('another team', 'https://a.example')
    expect(good.asked()).toBe(2)
    const bad = createFiles(() => ({ status: 500 }))
    const failing = createRobotsCache(bad.files, () => 0)
    await failing('team', 'https://a.example')
    await failing('team', 'https://a.example')
    expect(bad.asked()).toBe(2)
  })

  it('requests the file again after ten minutes', async () => {
    let now = 1
    const good = createFiles(() => ({ bytes: Buffer.from(forbidding) }))
    const getRobots = createRobotsCache(good.files, () => now)
    await getRobots('team', 'https://a.example')
    now += 10 * 60_000 - 1
    await getRobots('team', 'https://a.example')
    expect(good.asked()).toBe(1)
    now += 2
    await getRobots('team', 'https://a.example')
    expect(good.asked()).toBe(2)
  })

  it('evicts the oldest entries if all files have too many rules', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `disallow: /${index}`)
    const large = createFiles(() => ({ bytes: Buffer.from(`user-agent: *\n${lines.join('\n')}`) }))
    const getRobots = createRobotsCache(large.files, () => 1)
    for (let site = 0; site < 20; site += 1) await getRobots('team', `https://${site}.example`)
    await getRobots('team', 'https://19.example')
    expect(large.asked()).toBe(20)
    await getRobots('team', 'https://0.example')
    expect(large.asked()).toBe(21)
  })
})

const rules = (comparisons: number) => ({ check: () => ({ isAllowed: true, comparisons }) })

describe('createRobotsCheck', () => {
  it('allows every link if robots.txt is ignored', async () => {
    const check = createRobotsCheck(undefined, new AbortController().signal)
    expect(await check.allows('/a')).toBe(true)
  })

  it('forbids the links that are left when comparisons reach their bound', async () => {
    const check = createRobotsCheck(rules(400_000), new AbortController().signal)
    const allowed = []
    for (let link = 0; link < 5; link += 1) allowed.push(await check.allows(`/${link}`))
    expect(allowed).toEqual([true, true, true, false, false])
    expect(check.isExhausted()).toBe(true)
  })

  it('yields to the event loop and rejects after the job is cancelled', async () => {
    const cancel = new AbortController()
    const slow = {
      check() {
        for (const until = performance.now() + 2; performance.now() < until; );
        return { isAllowed: true, comparisons: 0 }
      },
    }
    const check = createRobotsCheck(slow, cancel.signal)
    setImmediate(() => cancel.abort(new Error('cancelled')))
    const all = async () => {
      for (let link = 0; link < 10_000; link += 1) await check.allows(`/${link}`)
    }
    await expect(all()).rejects.toThrow('cancelled')
  })
})
