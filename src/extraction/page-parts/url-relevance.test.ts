import { describe, expect, it } from 'vitest'
import { byRelevance } from './url-relevance.ts'

const sortedPaths = async (query: string, pages: Parameters<typeof byRelevance>[0]) => {
  const ordered = await byRelevance(pages, query, async () => {})
  return ordered.map((page) => new URL(page.url).pathname)
}

const page = (path: string, data: object = {}) => ({ url: `https://a.example${path}`, ...data })

describe('byRelevance', () => {
  it('ranks URLs with all query words first', async () => {
    expect(
      (
        await sortedPaths('pricing plans', [page('/about'), page('/blog/pricing'), page('/pricing-plans')])
      )[0],
    ).toBe('/pricing-plans')
  })

  it('uses titles, anchor texts and descriptions', async () => {
    const pages = [
      page('/1', { description: 'All about refunds, returns and many other things that may happen' }),
      page('/2', { title: 'Refunds' }),
      page('/3', { anchor: 'Refunds' }),
      page('/4'),
    ]
    expect(await sortedPaths('refund', pages)).toEqual(['/2', '/3', '/1', '/4'])
  })

  it('matches singular and plural forms', async () => {
    expect((await sortedPaths('companies', [page('/x'), page('/company')]))[0]).toBe('/company')
    expect((await sortedPaths('product', [page('/x'), page('/products')]))[0]).toBe('/products')
  })

  it('matches joined, percent-encoded and camel-case words', async () => {
    expect((await sortedPaths('pricing', [page('/x'), page('/ourpricing')]))[0]).toBe('/ourpricing')
    expect((await sortedPaths('größe', [page('/x'), page('/gr%C3%B6%C3%9Fe')]))[0]).toBe('/gr%C3%B6%C3%9Fe')
    expect((await sortedPaths('user guide', [page('/x'), page('/UserGuide')]))[0]).toBe('/UserGuide')
  })

  it('matches hash routes', async () => {
    const [first] = await byRelevance([page('/#/guide'), page('/#/refunds')], 'refund', async () => {})
    expect(first?.url).toContain('refunds')
  })

  it('weights rare words more', async () => {
    const pages = [...Array.from({ length: 20 }, (_, index) => page(`/docs/${index}`)), page('/webhooks')]
    expect((await sortedPaths('docs webhooks', pages))[0]).toBe('/webhooks')
  })

  it('keeps the order if no page matches', async () => {
    expect(await sortedPaths('zebra', [page('/b'), page('/a')])).toEqual(['/b', '/a'])
    expect(await sortedPaths('!!', [page('/b'), page('/a')])).toEqual(['/b', '/a'])
  })
})
