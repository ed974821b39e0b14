import { expect } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { type Exchange, startRecorder } from '../servers/recorder.ts'
import { startSmallModel } from '../servers/small-model.ts'
import { until } from '../servers/until.ts'
import { sendHtml } from '../site/route.ts'
import { startSite } from '../site/site.ts'

/** What the page says, sentence by sentence. Short, as a small model on a busy machine reads a few dozen tokens a second. */
export const sentences = [
  'The desk lamp was shown in Lund for the first time.',
  'Its shade is made of oiled paper.',
  'The keeper of the lighthouse ordered 12 lamps in 1972.',
  'Anna Berg drew it on a train to Malmö.',
]
export const title = 'Desk lamp'
export const price = '1.299,00 €'

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><main><h1>${title}</h1><dl><dt>Price</dt><dd>${price}</dd></dl>
<p>${sentences.slice(0, 2).join(' ')}</p><p>${sentences.slice(2).join(' ')}</p></main></body></html>`

/** All that an answer may rest on. */
export const pageText = [title, `Price: ${price}`, ...sentences].join('\n')

export interface Asked {
  data: Json
  /** What the service and the model said to each other meanwhile. */
  exchanges: Exchange[]
  /** What the team has used meanwhile. */
  used: { tokens: number; calls: number }
}

export interface RealModelScene {
  /** What the service says of the model. */
  capability: { available: boolean; note: string }
  ask(format: object | string): Promise<Asked>
  stop(): Promise<void>
}

/** A site with one page, a model, and a service that uses it. */
export async function startRealModelScene(): Promise<RealModelScene> {
  const model = await startSmallModel()
  const recorder = await startRecorder(new URL(model.url).origin)
  const site = await startSite({ routes: { '/lamp': (exchange) => sendHtml(exchange, html) } })
  const service = await startOwnService({
    ...{ MODEL_URL: `${recorder.url}/v1`, MODEL_KEY: model.key, MODEL_NAME: 'smollm2' },
    // A fifth is for the answer. What the model still has not said by then it hardly ever says.
    ...{ MODEL_MAX_TOKENS_PER_CALL: '1500', MODEL_TIMEOUT_MS: '240000' },
  })
  // The service tests the model once at the start; what it says then belongs to no team.
  const capability = await until('the test of the model', 90_000, async () => {
    const found = await languageModel(service)
    return found.note.includes('being tested') ? undefined : found
  })
  const usage = async () => (await service.call('GET', '/v2/team/token-usage')).body.data.modelTokens
  return {
    capability,
    async ask(format) {
      const before = await usage()
      const from = recorder.exchanges.length
      const body = {
        ...{ url: `${site.url}/lamp`, formats: [format], maxAge: 0, fastMode: true, timeout: 300_000 },
      }
      const answer = await service.call('POST', '/v2/scrape', { body })
      expect(answer).toMatchObject({ status: 200, body: { success: true } })
      const after = await usage()
      return {
        data: answer.body.data,
        exchanges: recorder.exchanges.slice(from),
        used: { tokens: after.today - before.today, calls: after.calls - before.calls },
      }
    },
    async stop() {
      await service.remove()
      await Promise.all([site.stop(), recorder.stop()])
      await model.stop()
    },
  }
}

async function languageModel(service: OwnService) {
  const { features } = (await service.call('GET', '/v2/capabilities')).body
  return features.find(({ name }: Json) => name === 'language model')
}
