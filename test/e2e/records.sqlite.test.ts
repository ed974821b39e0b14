import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scrape } from '../api.ts'
import { counted, readCorpus, scorePage } from '../corpus/templates/score.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const pages = readCorpus()
const findPage = (template = '', name = '') =>
  pages.find((page) => page.template === template && page.name === name)

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/:template/:name': (exchange) => {
        const { template, name } = exchange.params
        sendHtml(exchange, findPage(template, name)?.html ?? '')
      },
    },
  })
})
afterAll(() => site.stop())

describe('related content of a page', () => {
  it.each([
    ['cartridge', 'category'],
    ['express-cart-material', 'ember-twig-stove'],
    ['spirit', 'plane-iron-chatters'],
    ['wordpress-twentytwentytwo', 'comments'],
    ['hexo-fluid', 'index'],
  ])('is returned completely and without noise: %s, %s', async (template, name) => {
    const page = findPage(template, name)
    if (!page) throw new Error(`no page ${name} of ${template} in the corpus`)
    const { body } = await scrape({ url: `${site.url}/${template}/${name}`, blockAds: false })
    const counts = scorePage(body.data.markdown, page.truth)
    const missing = counted.filter((kind) => kind !== 'noise').flatMap((kind) => counts[kind].wrong)
    expect(missing).toEqual([])
    expect(counts.noise.wrong).toEqual([])
  })
})
