import { AuthenticationError } from '../errors.ts'
import type { Context } from './command.ts'
import { type ExitCode, exitCodes } from './exit-codes.ts'

export interface Finding {
  part: string
  /** What is missing is not broken: the service runs without it. */
  state: 'works' | 'missing' | 'broken'
  note: string
  /** What to do about it. */
  enable?: string
  code?: ExitCode
}

/** How the service is: reachable, ready, the key valid, and which features work. */
export async function findings(context: Context): Promise<Finding[]> {
  const { winnow, signal } = context
  const service = await serviceFindings(context)
  if (service.some(({ code }) => code === exitCodes.noService)) return service
  const key = await keyFinding(context)
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

const readyMs = 15_000

/** Asked without a key, and by hand: where a part is broken, the answer has a status of its own and still says which. */
async function serviceFindings({ winnow, signal }: Context): Promise<Finding[]> {
  const service = { part: 'service', note: winnow.baseUrl }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(readyMs)])
  try {
    const response = await fetch(`${winnow.baseUrl}/health/ready`, { redirect: 'manual', signal: limit })
    const { status, parts } = readyAnswer(await response.text())
    if (status === 'ready') return [{ ...service, state: 'works' }, ...partFindings(parts)]
    if (status !== 'not ready') return [absent(`something else answers at ${winnow.baseUrl}`)]
    const enable = 'its log says why; "npm run doctor" on its machine checks each part'
    return [{ ...service, state: 'broken', note: 'is not ready', enable }, ...partFindings(parts)]
  } catch (thrown) {
    if (signal.aborted) throw thrown
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown
    return [absent(`${winnow.baseUrl} does not answer: ${cause instanceof Error ? cause.message : cause}`)]
  }
}

function absent(note: string): Finding {
  const enable = 'start it with "npm start", or name another with --url or WINNOW_URL'
  return { part: 'service', state: 'broken', note, enable, code: exitCodes.noService }
}

function readyAnswer(text: string): { status?: unknown; parts?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function partFindings(parts: unknown): Finding[] {
  if (typeof parts !== 'object' || parts === null) return []
  return Object.entries(parts).map(([part, state]) =>
    state === 'ok'
      ? { part: `ready: ${part}`, state: 'works', note: 'ok' }
      : { part: `ready: ${part}`, state: 'broken', note: String(state) },
  )
}

async function keyFinding({ winnow, signal }: Context): Promise<Finding> {
  try {
    const { team, isOperator } = await winnow.team({ signal })
    return { part: 'key', state: 'works', note: `team ${team.name}${isOperator ? ', operator' : ''}` }
  } catch (thrown) {
    if (!(thrown instanceof AuthenticationError)) throw thrown
    const enable = 'give one with --key or WINNOW_API_KEY; --verbose says which one was used'
    return { part: 'key', state: 'broken', note: thrown.message, enable, code: exitCodes.keyRefused }
  }
}
