import { describe, expect, it } from 'vitest'
import { followLinks, type ReadLinks, urlPattern } from './follow-links.ts'

const origin = 'https://a.example'

/** Follows the links of a site, given as a list of links per path. */
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
    onPage(page: ReadLinks) {
      const newLinks = page.links.filter(({ url }) => !known.has(url.slice(origin.length)))
      for (const { url } of newLinks) known.add(url.slice(origin.length))
      return newLinks.map(({ url }) => new URL(url))
    },
  }
  const followed = await followLinks(deps, new URL(origin), { pages: 1e6, maxConcurrent: 1, ...limits })
  return { ...followed, order, known }
}

/** Creates list pages with ten items each and a link to the next list. */
function createShop(lists: number): Record<string, string[]> {
  const site: Record<string, string[]> = { '/': ['/about', '/list?page=1'], '/about': [] }
  for (let list = 1; list <= lists; list += 1) {
    const items = Array.from({ length: 10 }, (_, item) => `/thing/${list * 100 + item}`)
    site[`/list?page=${list}`] = [...items, ...(list < lists ? [`/list?page=${list + 1}`] : [])]
    for (const item of items) site[item] = ['/']
  }
  return site
}

describe('followLinks', () => {
  it('finds all pages that links point to', async () => {
    const { known, read, failed, stopped } = await followAll(createShop(20), { maxConcurrent: 4 })
    expect({ known: known.size, read, failed, stopped }).toEqual({
      known: 222,
      read: 222,
      failed: 0,
      stopped: undefined,
    })
  })

  it('reads lists before their items', async () => {
    const { known } = await followAll(createShop(20), { pages: 30 })
    expect(known.size).toBeGreaterThan(200)
  })

  it('stops after 5 pages with stopped "pages"', async () => {
    expect(await followAll(createShop(20), { pages: 5 })).toMatchObject({ read: 5, stopped: 'pages' })
  })

  it('continues after a page that cannot be read', async () => {
    expect(await followAll({ '/': ['/gone', '/there'], '/there': [] })).toMatchObject({ read: 2, failed: 1 })
  })

  it('returns one shape for pages of the same kind', () => {
    const shape = (path: string) => urlPattern(new URL(path, origin))
    expect(shape('/list?page=1&sort=a')).toBe(shape('/list?sort=b&page=27'))
    expect(shape('/post/a-day-at-sea')).toBe(shape('/post/rain_in_may'))
    expect(shape('/post/12')).not.toBe(shape('/tag/12'))
  })
})
