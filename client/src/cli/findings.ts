import { AuthenticationError } from '../errors.ts'
import type { Context } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

export interface Finding {
  part: string
  /** State of the part. The service runs without a missing part, so `missing` differs from `broken`. */
  state: 'works' | 'missing' | 'broken'
  note: string
  /** Suggested fix. */
  enable?: string
  code?: ExitCode
}

/** Checks if the service is reachable and ready, if the key is valid, and which features work. */
export async function checkHealth(context: Context): Promise<Finding[]> {
  const { winnow, signal } = context
  const service = await checkService(context)
  if (service.some(({ code }) => code === exitCodes.noService)) return service
  const key = await checkKey(context)
  if (key.state === 'broken') return [...service, key]
  const { version, features } = await winnow.capabilities({ signal })
  return [
    { part: 'version', state: 'works', note: version },
    ...service,
    key,
    ...features.map(({ name, available, note, enable }) => ({
      part: name,
      state: available ? ('works' as const) : ('missing' as const),
      note,
      ...(enable === undefined ? {} : { enable }),
    })),
  ]
}

const readyTimeoutMs = 15_000

/**
 * Checks if the service is ready. Calls `fetch` directly, because the client library would throw for an error response,
 * which also lists all parts.
 */
async function checkService({ winnow, signal }: Context): Promise<Finding[]> {
  const service = { part: 'service', note: winnow.baseUrl }
  const timeoutSignal = AbortSignal.any([signal, AbortSignal.timeout(readyTimeoutMs)])
  try {
    const response = await fetch(`${winnow.baseUrl}/health/ready`, {
      redirect: 'manual',
      signal: timeoutSignal,
    })
    const { status, parts } = parseReadiness(await response.text())
    if (status === 'ready') return [{ ...service, state: 'works' }, ...toPartFindings(parts)]
    if (status !== 'not ready') return [unreachable(`something else answers at ${winnow.baseUrl}`)]
    const enable = 'its log says why; "npm run doctor" on its machine checks each part'
    return [{ ...service, state: 'broken', note: 'is not ready', enable }, ...toPartFindings(parts)]
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
    return [
      unreachable(`${winnow.baseUrl} does not answer: ${cause instanceof Error ? cause.message : cause}`),
    ]
  }
}

function unreachable(note: string): Finding {
  const enable = 'start it with "npm start", or name another with --url or WINNOW_URL'
  return { part: 'service', state: 'broken', note, enable, code: exitCodes.noService }
}

function parseReadiness(text: string): { status?: unknown; parts?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function toPartFindings(parts: unknown): Finding[] {
  if (typeof parts !== 'object' || parts === null) return []
  return Object.entries(parts).map(([part, state]) =>
    state === 'ok'
      ? { part: `ready: ${part}`, state: 'works', note: 'ok' }
      : { part: `ready: ${part}`, state: 'broken', note: String(state) },
  )
}

async function checkKey({ winnow, signal }: Context): Promise<Finding> {
  try {
    const { team, isOperator } = await winnow.team({ signal })
    return { part: 'key', state: 'works', note: `team ${team.name}${isOperator ? ', operator' : ''}` }
  } catch (thrown) {
    if (!(thrown instanceof AuthenticationError)) throw thrown
    const enable = 'give one with --key or WINNOW_API_KEY; --verbose says which one was used'
    return { part: 'key', state: 'broken', note: thrown.message, enable, code: exitCodes.keyRejected }
  }
}
