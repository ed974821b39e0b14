import { describe, expect, it } from 'vitest'
import { followLinks, type ReadLinks, shapeOf } from './follow-links.ts'

const origin = 'https://a.example'

/** A site as a list of links per path. */
async function followAll(
  site: Record<string, string[]>,
  limits: Partial<Parameters<typeof followLinks>[2]> = {},
) {
  const order: string[] = []
  const known = new Set(['/'])
  const deps = {
    signal: new AbortController().signal,
    async read(url: URL): Promise<ReadLinks | undefined> {
      const path = url.pathname + url.search
      order.push(path)
      const links = site[path]?.map((link) => ({ url: origin + link, text: '' }))
      const rest = {
        next: undefined,
        canonical: undefined,
        feeds: [],
        title: undefined,
        description: undefined,
      }
      return links && { ...rest, links, url: url.href }
    },
    heard(page: ReadLinks) {
      const fresh = page.links.filter(({ url }) => !known.has(url.slice(origin.length)))
      for (const { url } of fresh) known.add(url.slice(origin.length))
      return fresh.map(({ url }) => new URL(url))
    },
  }
  const followed = await followLinks(deps, new URL(origin), { pages: 1e6, atOnce: 1, ...limits })
  return { ...followed, order, known }
}

/** Lists that each name ten things and the list after it. */
function shop(lists: number): Record<string, string[]> {
  const site: Record<string, string[]> = { '/': ['/about', '/list?page=1'], '/about': [] }
  for (let list = 1; list <= lists; list += 1) {
    const things = Array.from({ length: 10 }, (_, thing) => `/thing/${list * 100 + thing}`)
    site[`/list?page=${list}`] = [...things, ...(list < lists ? [`/list?page=${list + 1}`] : [])]
    for (const thing of things) site[thing] = ['/']
  }
  return site
}

describe('following links', () => {
  it('finds everything that links lead to', async () => {
    const { known, read, failed, stopped } = await followAll(shop(20), { atOnce: 4 })
    expect({ known: known.size, read, failed, stopped }).toEqual({
      known: 222,
      read: 222,
      failed: 0,
      stopped: undefined,
    })
  })

  it('reads lists before what they list', async () => {
    const { known } = await followAll(shop(20), { pages: 30 })
    expect(known.size).toBeGreaterThan(200)
  })

  it('ends after its pages, and says so', async () => {
    expect(await followAll(shop(20), { pages: 5 })).toMatchObject({ read: 5, stopped: 'pages' })
  })

  it('goes on past pages that cannot be read', async () => {
    expect(await followAll({ '/': ['/gone', '/there'], '/there': [] })).toMatchObject({ read: 2, failed: 1 })
  })

  it('knows pages of one kind', () => {
    const shape = (path: string) => shapeOf(new URL(path, origin))
    expect(shape('/list?page=1&sort=a')).toBe(shape('/list?sort=b&page=27'))
    expect(shape('/post/a-day-at-sea')).toBe(shape('/post/rain_in_may'))
    expect(shape('/post/12')).not.toBe(shape('/tag/12'))
  })
})
