import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type JobEvent, jobEventsTopic } from '../jobs/job-events.ts'
import type { Log } from '../platform/log.ts'
import { countChildren, findParents } from '../store/jobs/parents.ts'
import type { Store } from '../store/schema.ts'

type TeamEvent =
  | { type: 'job'; data: Omit<JobEvent, 'at'> & { at: string } }
  | { type: 'progress'; data: NonNullable<Awaited<ReturnType<typeof countPages>>> }

type TeamEventListener = (event: TeamEvent) => void

const countIntervalMs = 1000

const eventMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('page'), parentId: z.string() }),
  z.object({
    type: z.literal('job'),
    job: z.object({
      id: z.string(),
      kind: z.string(),
      parentId: z.string().nullable(),
      state: z.enum(['running', 'completed', 'failed', 'cancelled']),
      target: z.string().nullable(),
      at: z.number(),
      code: z.string().optional(),
    }),
  }),
])

/** Subscribers of one team in this process. They share one store subscription and each page count. */
interface TeamChannel {
  listeners: Set<TeamEventListener>
  /** Parents whose page count was sent within the last second. `hasChanged` is true if a page has ended since then. */
  pageCounts: Map<string, { hasChanged: boolean }>
  subscribed: Promise<() => void>
  closed: AbortController
}

export function teamEvents(deps: { store: Store; log: Log }) {
  const channels = new Map<string, TeamChannel>()

  function openChannel(teamId: string): TeamChannel {
    const onMessage = (message: string) =>
      handleMessage(deps, channel, message).catch((cause) => deps.log.warn({ cause }, 'a job event was lost'))
    const channel: TeamChannel = {
      ...{ listeners: new Set(), pageCounts: new Map(), closed: new AbortController() },
      subscribed: deps.store.subscribe(jobEventsTopic(teamId), onMessage),
    }
    channels.set(teamId, channel)
    return channel
  }

  return {
    async join(teamId: string, onEvent: TeamEventListener): Promise<() => void> {
      const channel = channels.get(teamId) ?? openChannel(teamId)
      channel.listeners.add(onEvent)
      const removeListener = () => {
        channel.listeners.delete(onEvent)
        if (channel.listeners.size > 0 || channels.get(teamId) !== channel) return
        channels.delete(teamId)
        channel.closed.abort()
        channel.subscribed.then(
          (unsubscribe) => unsubscribe(),
          () => undefined,
        )
      }
      await channel.subscribed.catch((cause) => {
        removeListener()
        throw cause
      })
      return removeListener
    },
    listenerCount: () => [...channels.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),
  }
}

type Deps = Parameters<typeof teamEvents>[0]

async function handleMessage(deps: Deps, channel: TeamChannel, message: string): Promise<void> {
  const event = eventMessage.parse(JSON.parse(message))
  if (event.type === 'page') return sendCountWhileChanging(deps, channel, event.parentId)
  const { at, ...job } = event.job
  // Send the last page count before the end of the job.
  if (job.state !== 'running' && channel.pageCounts.has(job.id)) await sendCount(deps, channel, job.id)
  send(channel, { type: 'job', data: { ...job, at: new Date(at).toISOString() } } as TeamEvent)
}

async function sendCountWhileChanging(deps: Deps, channel: TeamChannel, parentId: string): Promise<void> {
  const pending = channel.pageCounts.get(parentId)
  if (pending) {
    pending.hasChanged = true
    return
  }
  const state = { hasChanged: true }
  channel.pageCounts.set(parentId, state)
  try {
    while (state.hasChanged && !channel.closed.signal.aborted) {
      state.hasChanged = false
      await sendCount(deps, channel, parentId)
      const options = { signal: channel.closed.signal, ref: false }
      await sleep(countIntervalMs, undefined, options).catch(() => undefined)
    }
  } finally {
    channel.pageCounts.delete(parentId)
  }
}

async function sendCount(deps: Deps, channel: TeamChannel, parentId: string): Promise<void> {
  const data = await countPages(deps, parentId)
  if (data) send(channel, { type: 'progress', data })
}

async function countPages({ store }: Deps, parentId: string) {
  const [parent] = await findParents(store.query, [parentId])
  if (!parent) return undefined
  const { completed, failed, running, queued } = await countChildren(store.query, parentId)
  const at = new Date().toISOString()
  return { id: parentId, kind: parent.kind, completed, failed, running, queued, at }
}

function send({ listeners }: TeamChannel, event: TeamEvent): void {
  for (const onEvent of listeners) onEvent(event)
}
