import { coalesce } from '../base/coalesce.ts'
import type { Log } from '../base/log.ts'
import type { DeliveryRow } from '../store/deliveries.ts'
import { type DeliverNeeds, deliver } from './deliver.ts'
import { type DeliveryUnderWay, deliveryRoom } from './delivery-room.ts'
import { type LookNeeds, lookForDeliveries } from './look-for-deliveries.ts'

export interface DelivererNeeds extends DeliverNeeds {
  log: Log
}

/** Sends what stands in the outbox, again and again until it was taken or the attempts are spent. */
export function startDeliverer(needs: DelivererNeeds): { stop(withinMs: number): Promise<void> } {
  const room = deliveryRoom()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  function send(row: DeliveryRow, delivery: DeliveryUnderWay): Promise<void> {
    const sending = deliver(needs, row, { ...delivery, stopping: stopping.signal })
      .catch((cause) => needs.log.warn({ cause, delivery: row.id }, 'a delivery could not be recorded'))
      .finally(() => {
        underWay.delete(sending)
        // In the next turn, when the permit of this delivery is free.
        setImmediate(look)
      })
    underWay.add(sending)
    return sending
  }

  const looking: LookNeeds = {
    ...{ store: needs.store, clock: needs.clock, room, send },
    lastLooks: new Map(),
    stopping: stopping.signal,
  }
  const lookForAll = coalesce(() => lookForDeliveries(looking), stopping.signal)
  const look = () => {
    lookForAll().catch((cause) =>
      needs.log.warn({ cause }, 'deliveries could not be looked for; trying again'),
    )
  }
  const unlisten = needs.store.listen('deliveries', look)
  // Retries become due by themselves, and wake-ups can be lost.
  const timer = setInterval(look, 1000)
  look()
  return {
    async stop(withinMs) {
      clearInterval(timer)
      unlisten()
      stopping.abort(new Error('The service is stopping.'))
      const patience = new Promise((resolve) => setTimeout(resolve, withinMs).unref())
      await Promise.race([Promise.all(underWay), patience])
    },
  }
}
