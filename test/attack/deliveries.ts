import type { Json, OwnService } from '../api.ts'

/** Returns the complete log of webhook deliveries, page by page. */
export async function allDeliveries(own: OwnService): Promise<Json[]> {
  const deliveries: Json[] = []
  for (let cursor = ''; ; ) {
    const { body } = await own.call('GET', `/v2/webhooks/deliveries?limit=100${cursor}`)
    deliveries.push(...body.data)
    if (!body.has_more) return deliveries
    cursor = `&cursor=${body.cursor}`
  }
}
