import { describe, expect, it } from 'vitest'
import { byRelevance } from './url-relevance.ts'

const order = async (query: string, pages: Parameters<typeof byRelevance>[0]) => {
  const ordered = await byRelevance(pages, query, async () => {})
  return ordered.map((page) => new URL(page.url).pathname)
}

const page = (path: string, rest: object = {}) => ({ url: `https://a.example${path}`, ...rest })

describe('pages by relevance', () => {
  it('put words of the address first', async () => {
    expect(
      (await order('pricing plans', [page('/about'), page('/blog/pricing'), page('/pricing-plans')]))[0],
    ).toBe('/pricing-plans')
  })

  it('read titles, anchor texts and descriptions', async () => {
    const pages = [
      page('/1', { description: 'All about refunds, returns and many other things that may happen' }),
      page('/2', { title: 'Refunds' }),
      page('/3', { anchor: 'Refunds' }),
      page('/4'),
    ]
    expect(await order('refund', pages)).toEqual(['/2', '/3', '/1', '/4'])
  })

  it('find one word for many and the other way round', async () => {
    expect((await order('companies', [page('/x'), page('/company')]))[0]).toBe('/company')
    expect((await order('product', [page('/x'), page('/products')]))[0]).toBe('/products')
  })

  it('find words written together, escaped or in capitals', async () => {
    expect((await order('pricing', [page('/x'), page('/ourpricing')]))[0]).toBe('/ourpricing')
    expect((await order('größe', [page('/x'), page('/gr%C3%B6%C3%9Fe')]))[0]).toBe('/gr%C3%B6%C3%9Fe')
    expect((await order('user guide', [page('/x'), page('/UserGuide')]))[0]).toBe('/UserGuide')
  })

  it('know hash routes', async () => {
    const [first] = await byRelevance([page('/#/guide'), page('/#/refunds')], 'refund', async () => {})
    expect(first?.url).toContain('refunds')
  })

  it('weigh rare words more', async () => {
    const pages = [...Array.from({ length: 20 }, (_, index) => page(`/docs/${index}`)), page('/webhooks')]
    expect((await order('docs webhooks', pages))[0]).toBe('/webhooks')
  })

  it('keep their order where nothing is found', async () => {
    expect(await order('zebra', [page('/b'), page('/a')])).toEqual(['/b', '/a'])
    expect(await order('!!', [page('/b'), page('/a')])).toEqual(['/b', '/a'])
  })
})
