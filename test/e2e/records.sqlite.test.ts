import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scrape } from '../api.ts'
import { counted, readCorpus, scorePage } from '../corpus/templates/score.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const pages = readCorpus()
const found = (template = '', name = '') =>
  pages.find((page) => page.template === template && page.name === name)

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/:template/:name': (exchange) => {
        const { template, name } = exchange.part
        sendHtml(exchange, found(template, name)?.html ?? '')
      },
    },
  })
})
afterAll(() => site.stop())

describe('what belongs together on a page', () => {
  it.each([
    ['cartridge', 'category'],
    ['express-cart-material', 'ember-twig-stove'],
    ['spirit', 'plane-iron-chatters'],
    ['wordpress-twentytwentytwo', 'comments'],
    ['hexo-fluid', 'index'],
  ])('is kept together, and nothing that asks the visitor: %s, %s', async (template, name) => {
    const page = found(template, name)
    if (!page) throw new Error(`no page ${name} of ${template} in the corpus`)
    const { body } = await scrape({ url: `${site.url}/${template}/${name}`, blockAds: false })
    const counts = scorePage(body.data.markdown, page.truth)
    const missing = counted.filter((what) => what !== 'noise').flatMap((what) => counts[what].wrong)
    expect(missing).toEqual([])
    expect(counts.noise.wrong).toEqual([])
  })
})
