import { ChildError } from '../../platform/child/child.ts'
import { type ChildCall, type ChildPool, createChildPool } from '../../platform/child/child-pool.ts'
import { processProgram } from '../../platform/child/process-program.ts'
import type { Log } from '../../platform/log.ts'
import { Permits } from '../../platform/permits.ts'
import { maxReadLength } from './open-model.ts'
import type { ModelReply, ModelRequest } from './serve-model.ts'

/** Vectors of texts, the reason why the model does not run on this machine, or the failure of this call. */
export type EmbedOutcome = ModelReply | { failure: string }

export type ModelProcess = ReturnType<typeof createModelProcess>

/** Few, because only between requests can other teams and foreground calls get their turn. */
const textsPerRequest = 8
export const maxTextsOfCall = 128
const obstacleMs = 60_000

const program = processProgram({
  ...{ name: 'sentence-model', script: new URL('./serve-model.ts', import.meta.url) },
  ...{ megabytes: 512, maxRequestBytes: 1024 * 1024, maxReplyBytes: 64 * 1024 },
  // Without this, the library sends telemetry to its vendor.
  environment: { ORT_DISABLE_TELEMETRY: '1' },
})
/**
 * Two processes at once would each take twice as long, and the other cores are for scrapes. The process
 * finishes a request whose caller has left, because a restart would take longer.
 */
const poolOptions = { maxChildren: 1, spare: 0, maxRequests: 100_000 }
const limit = { ms: 60_000, name: 'time of one request' }

export function createModelProcess(options: { folder: string; idleMs?: number }, log: Log) {
  const { folder, idleMs = 60_000 } = options
  const pool = createChildPool<ModelRequest, ModelReply>(program, { ...poolOptions, idleMs }, log)
  // One long call per team at a time. If all long calls of a team alternated, all would end late.
  const longCalls = new Permits({ count: Number.POSITIVE_INFINITY, perTeam: 1 })
  let obstacle: { reason: string; until: number } | undefined

  async function embedSome(texts: readonly string[], call: ChildCall): Promise<EmbedOutcome> {
    if (obstacle && performance.now() < obstacle.until) return { obstacle: obstacle.reason }
    const outcome = await sendWithRetry(pool, { folder, texts }, call)
    obstacle =
      'obstacle' in outcome ? { reason: outcome.obstacle, until: performance.now() + obstacleMs } : undefined
    return outcome
  }

  async function embedAll(texts: readonly string[], call: ChildCall): Promise<EmbedOutcome> {
    const vectors: Int8Array[] = []
    for (let from = 0; from < texts.length; from += textsPerRequest) {
      const batch = texts.slice(from, from + textsPerRequest).map((text) => text.slice(0, maxReadLength))
      const outcome = await embedSome(batch, call)
      if (!('vectors' in outcome)) return outcome
      // A received vector is a view of the buffer of its frame, so it is copied.
      vectors.push(...outcome.vectors.map((vector) => vector.slice()))
    }
    return { vectors }
  }

  return {
    /** Rejects only if the signal aborts, or if there are too many texts. */
    async embed(texts: readonly string[], call: Pick<ChildCall, 'who' | 'signal'>): Promise<EmbedOutcome> {
      if (texts.length > maxTextsOfCall) throw new RangeError(`At most ${maxTextsOfCall} texts have vectors.`)
      if (texts.length <= textsPerRequest) return embedAll(texts, call)
      return longCalls.run(call.who, call.signal, () => embedAll(texts, call))
    },
    stop: pool.stop,
  }
}

/** Retries once if the process was killed; the pool replaces the process. */
async function sendWithRetry(
  pool: ChildPool<ModelRequest, ModelReply>,
  request: ModelRequest,
  call: ChildCall,
): Promise<EmbedOutcome> {
  const first = await send(pool, request, call)
  const second = 'isEnded' in first ? await send(pool, request, call) : first
  if (!('isEnded' in second)) return second
  // Two processes in a row ended during their first request, so the library does not run on this machine.
  const failure = 'The process of the sentence model has ended.'
  return 'isEnded' in first && first.isFirst && second.isFirst ? { obstacle: failure } : { failure }
}

async function send(
  pool: ChildPool<ModelRequest, ModelReply>,
  request: ModelRequest,
  call: ChildCall,
): Promise<EmbedOutcome | { isEnded: true; isFirst: boolean }> {
  try {
    return await pool.ask(request, { ...call, limit })
  } catch (error) {
    if (error instanceof ChildError && error.reason === 'ended')
      return { isEnded: true, isFirst: error.isFirst }
    if (call.signal.aborted) throw error
    // The process may not have started, for example on a full disk. Callers continue without the model.
    return { failure: error instanceof Error ? error.message : String(error) }
  }
}
