import { ChildFailure } from '../../platform/child/child.ts'
import { type ChildCall, type ChildPool, createChildPool } from '../../platform/child/child-pool.ts'
import { processProgram } from '../../platform/child/process-program.ts'
import type { Log } from '../../platform/log.ts'
import { Permits } from '../../platform/permits.ts'
import { maxReadLength } from './open-model.ts'
import type { ModelReply, ModelRequest } from './serve-model.ts'

/** Vectors of texts; or why the model does not run on this machine; or that it failed this time. */
export type EmbedOutcome = ModelReply | { failure: string }

/** The sentence model in its own process, shared by everything that needs vectors. */
export interface ModelProcess {
  /** Rejects only if the signal aborts. */
  embed(texts: readonly string[], call: Pick<ChildCall, 'who' | 'signal'>): Promise<EmbedOutcome>
  stop(): Promise<void>
}

export interface ModelProcessOptions {
  folder: string
  /** The process ends after this time without a request. */
  idleMs?: number
}

/** Texts of one request. Other teams, and callers before background work, take their turn after each request. */
const textsPerRequest = 8
export const maxTextsOfCall = 128
/** A model that could not be loaded is tried again after this time. */
const obstacleMs = 60_000

const program = processProgram({
  ...{ name: 'sentence-model', script: new URL('./serve-model.ts', import.meta.url) },
  ...{ megabytes: 512, maxRequestBytes: 1024 * 1024, maxReplyBytes: 64 * 1024 },
  // The library reports to its maker unless this is set.
  environment: { ORT_DISABLE_TELEMETRY: '1' },
})
/**
 * One process: two at once would each take twice as long, and the other cores are for scrapes. It finishes a request whose caller
 * has gone, which is short: starting the process again would take longer.
 */
const poolOptions = { places: 1, spare: 0, maxRequests: 100_000 }
/** Includes loading the model, on a machine that has much to do. */
const limit = { ms: 60_000, name: 'time of one request' }

export function createModelProcess({ folder, idleMs = 60_000 }: ModelProcessOptions, log: Log): ModelProcess {
  const pool = createChildPool<ModelRequest, ModelReply>(program, { ...poolOptions, idleMs }, log)
  // One long call of each team at a time: if all of them took turns, all would end late.
  const longCalls = new Permits({ count: Number.POSITIVE_INFINITY, perTeam: 1 })
  let obstacle: { reason: string; until: number } | undefined

  async function embedSome(texts: readonly string[], call: ChildCall): Promise<EmbedOutcome> {
    if (obstacle && performance.now() < obstacle.until) return { obstacle: obstacle.reason }
    const outcome = await askTwice(pool, { folder, texts }, call)
    obstacle =
      'obstacle' in outcome ? { reason: outcome.obstacle, until: performance.now() + obstacleMs } : undefined
    return outcome
  }

  async function embedAll(texts: readonly string[], call: ChildCall): Promise<EmbedOutcome> {
    const vectors: Int8Array[] = []
    for (let from = 0; from < texts.length; from += textsPerRequest) {
      const some = texts.slice(from, from + textsPerRequest).map((text) => text.slice(0, maxReadLength))
      const outcome = await embedSome(some, call)
      if (!('vectors' in outcome)) return outcome
      // A received vector is a part of the buffer of its frame.
      vectors.push(...outcome.vectors.map((vector) => vector.slice()))
    }
    return { vectors }
  }

  return {
    async embed(texts, call) {
      if (texts.length > maxTextsOfCall) throw new RangeError(`At most ${maxTextsOfCall} texts have vectors.`)
      if (texts.length <= textsPerRequest) return embedAll(texts, call)
      return longCalls.run(call.who, call.signal, () => embedAll(texts, call))
    },
    stop: pool.stop,
  }
}

/** A process that was killed is replaced, and the request sent again once. */
async function askTwice(
  pool: ChildPool<ModelRequest, ModelReply>,
  request: ModelRequest,
  call: ChildCall,
): Promise<EmbedOutcome> {
  const first = await askOnce(pool, request, call)
  const second = 'isEnded' in first ? await askOnce(pool, request, call) : first
  if (!('isEnded' in second)) return second
  // Two processes in a row that ended with their first request: the library does not run on this machine.
  const failure = 'The process of the sentence model has ended.'
  return 'isEnded' in first && first.isFirst && second.isFirst ? { obstacle: failure } : { failure }
}

async function askOnce(
  pool: ChildPool<ModelRequest, ModelReply>,
  request: ModelRequest,
  call: ChildCall,
): Promise<EmbedOutcome | { isEnded: true; isFirst: boolean }> {
  try {
    return await pool.ask(request, { ...call, limit })
  } catch (thrown) {
    if (thrown instanceof ChildFailure && thrown.reason === 'ended')
      return { isEnded: true, isFirst: thrown.isFirst }
    if (call.signal.aborted) throw thrown
    // Also a process that could not be started, for example on a full disk: callers go on without the model.
    return { failure: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}
