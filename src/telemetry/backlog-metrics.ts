import { Gauge, type Registry } from 'prom-client'

/** What waits on the whole installation; every process says the same of it. */
export interface Backlog {
  now: number
  /** Jobs in the queue; `oldest` is when the oldest came, in milliseconds since 1970. */
  queued: { kind: string; count: number; oldest: number }[]
  running: { kind: string; count: number }[]
  deliveries: { count: number; oldest: number | null }
}

/** A read of the backlog serves all who ask within this time, in milliseconds: several servers may collect. */
const keptFor = 5000

export function measureBacklog(registry: Registry, read: () => Promise<Backlog>): void {
  const registers = [registry]
  const depth = new Gauge({
    ...{ name: 'winnow_queue_jobs', help: 'Jobs of all processes, by kind and state.', registers },
    labelNames: ['kind', 'state'],
    // The others are set with it: collectors run in the order in which they were made.
    async collect() {
      await refresh()
    },
  })
  const age = new Gauge({
    ...{ name: 'winnow_queue_oldest_seconds', help: 'Age of the oldest job in the queue.', registers },
    labelNames: ['kind'],
  })
  const deliveries = new Gauge({
    ...{ name: 'winnow_webhooks_waiting', help: 'Webhook events that wait to be delivered.', registers },
  })
  const deliveryAge = new Gauge({
    ...{ name: 'winnow_webhooks_oldest_seconds', help: 'Age of the oldest event that waits.', registers },
  })
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    if (performance.now() - readAt < keptFor) return
    const backlog = await read()
    readAt = performance.now()
    depth.reset()
    age.reset()
    for (const { kind, count, oldest } of backlog.queued) {
      depth.set({ kind, state: 'queued' }, count)
      age.set({ kind }, seconds(backlog.now, oldest))
    }
    for (const { kind, count } of backlog.running) depth.set({ kind, state: 'running' }, count)
    deliveries.set(backlog.deliveries.count)
    deliveryAge.set(seconds(backlog.now, backlog.deliveries.oldest))
  }
}

const seconds = (now: number, then: number | null) => (then === null ? 0 : Math.max(0, now - then) / 1000)
