import { z } from 'zod'
import { defineFormat } from './format.ts'
import { modelSummary } from './passages/model-summary.ts'
import { noModel, warnAboutInjection } from './passages/quote-passages.ts'

export const summary = defineFormat({
  name: 'summary',
  description: 'A few sentences about the page, in its language.',
  readsFrom: 'page',
  isDerivedFromMarkdown: true,
  usesModel: true,
  options: {},
  output: {
    summary: z
      .string()
      .describe('Three to five sentences; for a list, its title and first entries, one per line.'),
  },
  reads: () => ({ gist: true }),
  async render(content, _, { model, signal, warn }) {
    const gist = content.gist()
    if (gist.summary === '') return { unavailable: 'summary: the page has no text.' }
    const written = model ? await modelSummary(model, gist.sentences, signal) : { problem: noModel }
    if ('problem' in written) {
      warn(quoteWarning(written.problem, gist.isCut))
      return { summary: gist.summary }
    }
    for (const sentence of written.value.dropped)
      warn(`summary: left out, because the page does not say it: "${sentence}"`)
    warnAboutInjection('summary', gist.injectionCount, { warn })
    if (gist.areSentencesCut) warn(`summary: ${tooLong}`)
    return { summary: written.value.summary }
  },
})

const tooLong = 'the page is too long to be read to its end.'

function quoteWarning(reason: string, isCut: boolean): string {
  const quoted = `summary: extractive. The sentences are quoted from the page; ${reason}.`
  return isCut ? `${quoted} Also, ${tooLong}` : quoted
}
