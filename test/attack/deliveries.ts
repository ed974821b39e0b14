import type { Json, OwnService } from '../api.ts'

/** The whole log of webhook deliveries, page by page. */
export async function allDeliveries(own: OwnService): Promise<Json[]> {
  const found: Json[] = []
  for (let cursor = ''; ; ) {
    const { body } = await own.call('GET', `/v2/webhooks/deliveries?limit=100${cursor}`)
    found.push(...body.data)
    if (!body.has_more) return found
    cursor = `&cursor=${body.cursor}`
  }
}
