import { describe, expect, it } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { createRobotsCheck, readSiteRobots, robotsMemory } from './robots-files.ts'
import type { SiteFile } from './site-files.ts'

const signal = new AbortController().signal
const forbidding = 'user-agent: *\ndisallow: /'

function filesThat(answer: () => Partial<SiteFile>) {
  let asked = 0
  const read = async (): Promise<SiteFile> => {
    asked += 1
    return {
      status: 200,
      url: 'https://a.example/robots.txt',
      contentType: undefined,
      bytes: new Uint8Array(),
      ...answer(),
    }
  }
  return { files: { read }, asked: () => asked }
}

async function allows(answer: () => Partial<SiteFile>) {
  const { robots, trouble } = await readSiteRobots(filesThat(answer).files, 'team', {
    origin: 'https://a.example',
    signal,
  })
  return { isAllowed: (await robots.rulesFor('Foo')).allows('/x'), trouble }
}

const fail = (error: unknown) => () => {
  throw error
}

describe('the robots.txt of a site', () => {
  it('is obeyed when it is there', async () => {
    expect((await allows(() => ({ bytes: Buffer.from(forbidding) }))).isAllowed).toBe(false)
  })

  it.each([404, 403, 410])('allows everything when it is not there (%i)', async (status) => {
    expect(await allows(() => ({ status }))).toEqual({ isAllowed: true, trouble: undefined })
  })

  it.each([500, 503, 429])('allows nothing when the server fails (%i), and says so', async (status) => {
    const { isAllowed, trouble } = await allows(() => ({ status }))
    expect(isAllowed).toBe(false)
    expect(trouble).toContain(String(status))
  })

  it('allows nothing when the connection breaks', async () => {
    const { isAllowed, trouble } = await allows(fail(new AppError('SCRAPE_SITE_ERROR')))
    expect(isAllowed).toBe(false)
    expect(trouble).toContain('cannot be read')
  })

  it.each(['SCRAPE_DNS_RESOLUTION_ERROR', 'TARGET_FORBIDDEN', 'SCRAPE_SSL_ERROR'] as const)(
    'leaves %s to be met by the page',
    async (code) => {
      expect((await allows(fail(new AppError(code)))).isAllowed).toBe(true)
    },
  )

  it('is asked for once for many pages, and again after a failure', async () => {
    const good = filesThat(() => ({ bytes: Buffer.from(forbidding) }))
    const remembered = robotsMemory(good.files, () => 0)
    await Promise.all([1, 2, 3].map(() => remembered('team', 'https://a.example')))
    expect(good.asked()).toBe(1)
    await remembered('another team', 'https://a.example')
    expect(good.asked()).toBe(2)
    const bad = filesThat(() => ({ status: 500 }))
    const failing = robotsMemory(bad.files, () => 0)
    await failing('team', 'https://a.example')
    await failing('team', 'https://a.example')
    expect(bad.asked()).toBe(2)
  })

  it('is read again after ten minutes', async () => {
    let now = 1
    const good = filesThat(() => ({ bytes: Buffer.from(forbidding) }))
    const remembered = robotsMemory(good.files, () => now)
    await remembered('team', 'https://a.example')
    now += 10 * 60_000 - 1
    await remembered('team', 'https://a.example')
    expect(good.asked()).toBe(1)
    now += 2
    await remembered('team', 'https://a.example')
    expect(good.asked()).toBe(2)
  })

  it('makes room for others when all of them have too many rules', async () => {
    const lines = Array.from({ length: 30_000 }, (_, index) => `disallow: /${index}`)
    const large = filesThat(() => ({ bytes: Buffer.from(`user-agent: *\n${lines.join('\n')}`) }))
    const remembered = robotsMemory(large.files, () => 1)
    for (let site = 0; site < 20; site += 1) await remembered('team', `https://${site}.example`)
    await remembered('team', 'https://19.example')
    expect(large.asked()).toBe(20)
    await remembered('team', 'https://0.example')
    expect(large.asked()).toBe(21)
  })
})

const rules = (comparisons: number) => ({ check: () => ({ isAllowed: true, comparisons }) })

describe('the check of many links against robots.txt', () => {
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

  it('lets other work of the event loop run and ends when the job is cancelled', async () => {
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
