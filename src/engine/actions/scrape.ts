import { serialise } from '../../browser/serialise.ts'
import { writtenFrameMark } from '../../content/frame-mark.ts'
import { defineAction } from './action.ts'

export const scrape = defineAction({
  type: 'scrape',
  description: 'Returns the current URL and HTML of the page.',
  isRepeated: false,
  fields: {},
  async run(page, _, { results }) {
    results.scrapes.push({ url: page.url(), html: (await serialise(page)).replaceAll(writtenFrameMark, '') })
  },
})
