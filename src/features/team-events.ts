import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type JobEvent, jobEventsTopic } from '../jobs/job-events.ts'
import type { Log } from '../platform/log.ts'
import { countChildren, findParents } from '../store/jobs/parents.ts'
import type { Store } from '../store/schema.ts'

type TeamEvent = { type: 'job'; data: ShownJob } | { type: 'progress'; data: Progress }

type ShownJob = Omit<JobEvent, 'at'> & { at: string }

interface Progress {
  id: string
  kind: string
  completed: number
  failed: number
  running: number
  queued: number
  at: string
}

export type Hear = (event: TeamEvent) => void

/** The count of a job's pages is sent no more often. */
const betweenCounts = 1000

const news = z.discriminatedUnion('type', [
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

/** The watchers of one team in this process: they share one subscription and every count. */
interface Circle {
  listeners: Set<Hear>
  /** Parents whose count was sent within the last second, and whether it has changed since. */
  counted: Map<string, { isBehind: boolean }>
  subscribed: Promise<() => void>
  left: AbortController
}

/** Changes of the jobs of teams, as they happen in any process. */
export function teamEvents(deps: { store: Store; log: Log }) {
  const circles = new Map<string, Circle>()

  function openCircle(teamId: string): Circle {
    const circle: Circle = {
      listeners: new Set(),
      counted: new Map(),
      left: new AbortController(),
      subscribed: deps.store.subscribe(jobEventsTopic(teamId), (message) =>
        pass(deps, circle, message).catch((cause) => deps.log.warn({ cause }, 'a job event was lost')),
      ),
    }
    circles.set(teamId, circle)
    return circle
  }

  /** From when it resolves on, everything is heard. Call what it resolves with to leave. */
  async function join(teamId: string, hear: Hear): Promise<() => void> {
    const circle = circles.get(teamId) ?? openCircle(teamId)
    circle.listeners.add(hear)
    const leave = () => {
      circle.listeners.delete(hear)
      if (circle.listeners.size > 0 || circles.get(teamId) !== circle) return
      circles.delete(teamId)
      circle.left.abort()
      circle.subscribed.then(
        (unsubscribe) => unsubscribe(),
        () => undefined,
      )
    }
    await circle.subscribed.catch((cause) => {
      leave()
      throw cause
    })
    return leave
  }

  return {
    join,
    /** Streams that listen now, and those that are about to. */
    listeners: () => [...circles.values()].reduce((sum, { listeners }) => sum + listeners.size, 0),
  }
}

type Deps = Parameters<typeof teamEvents>[0]

async function pass(deps: Deps, circle: Circle, message: string): Promise<void> {
  const heard = news.parse(JSON.parse(message))
  if (heard.type === 'page') return follow(deps, circle, heard.parentId)
  const { at, ...job } = heard.job
  // The last count comes before the end.
  if (job.state !== 'running' && circle.counted.has(job.id)) await tellCount(deps, circle, job.id)
  tell(circle, { type: 'job', data: { ...job, at: new Date(at).toISOString() } as ShownJob })
}

/** Counts at once, and then once a second for as long as pages end. */
async function follow(deps: Deps, circle: Circle, parentId: string): Promise<void> {
  const known = circle.counted.get(parentId)
  if (known) {
    known.isBehind = true
    return
  }
  const state = { isBehind: true }
  circle.counted.set(parentId, state)
  try {
    while (state.isBehind && !circle.left.signal.aborted) {
      state.isBehind = false
      await tellCount(deps, circle, parentId)
      await sleep(betweenCounts, undefined, { signal: circle.left.signal, ref: false }).catch(() => undefined)
    }
  } finally {
    circle.counted.delete(parentId)
  }
}

async function tellCount({ store }: Deps, circle: Circle, parentId: string): Promise<void> {
  const [parent] = await findParents(store.query, [parentId])
  if (!parent) return
  const { completed, failed, running, queued } = await countChildren(store.query, parentId)
  const at = new Date().toISOString()
  const data = { id: parentId, kind: parent.kind, completed, failed, running, queued, at }
  tell(circle, { type: 'progress', data })
}

function tell({ listeners }: Circle, event: TeamEvent): void {
  for (const hear of listeners) hear(event)
}
