import { expect } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { type Exchange, startRecorder } from '../servers/recorder.ts'
import { startSmallModel } from '../servers/small-model.ts'
import { until } from '../servers/until.ts'
import { sendHtml } from '../site/route.ts'
import { startSite } from '../site/site.ts'

/** Sentences of the page. Short, because a small model on a busy machine reads a few dozen tokens per second. */
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

/** All text that a completion may be based on. */
export const pageText = [title, `Price: ${price}`, ...sentences].join('\n')

export interface ModelOutcome {
  data: Json
  /** Requests of the service and completions of the model during the call. */
  exchanges: Exchange[]
  /** Tokens and calls that the team used for the call. */
  used: { tokens: number; calls: number }
}

export interface RealModelScene {
  /** Capability that the service reports for the model. */
  capability: { available: boolean; note: string }
  ask(format: object | string): Promise<ModelOutcome>
  stop(): Promise<void>
}

/** Starts a site with one page, a model, and a service that uses it. */
export async function startRealModelScene(): Promise<RealModelScene> {
  const model = await startSmallModel()
  const recorder = await startRecorder(new URL(model.url).origin)
  const site = await startSite({ routes: { '/lamp': (exchange) => sendHtml(exchange, html) } })
  const service = await startOwnService({
    ...{ MODEL_URL: `${recorder.url}/v1`, MODEL_KEY: model.key, MODEL_NAME: 'smollm2' },
    // A fifth of the tokens is for the completion. Longer completions hardly ever add anything.
    ...{ MODEL_MAX_TOKENS_PER_CALL: '1500', MODEL_TIMEOUT_MS: '240000' },
  })
  // The service tests the model once on startup. Those tokens belong to no team.
  const capability = await until('the test of the model', 90_000, async () => {
    const capability = await languageModel(service)
    return capability.note.includes('being tested') ? undefined : capability
  })
  const usage = async () => (await service.call('GET', '/v2/team/token-usage')).body.data.modelTokens
  return {
    capability,
    async ask(format) {
      const before = await usage()
      const firstExchange = recorder.exchanges.length
      const body = {
        ...{ url: `${site.url}/lamp`, formats: [format], maxAge: 0, fastMode: true, timeout: 300_000 },
      }
      const response = await service.call('POST', '/v2/scrape', { body })
      expect(response).toMatchObject({ status: 200, body: { success: true } })
      const after = await usage()
      return {
        data: response.body.data,
        exchanges: recorder.exchanges.slice(firstExchange),
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
