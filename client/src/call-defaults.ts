import type { Call, CallOptions, Transport } from './transport.ts'

/** The most that the service takes for one call. */
export const longestWorkMs = 300_000

export async function read<Answer>(
  transport: Transport,
  path: string,
  query: Call['query'],
  options: CallOptions | undefined,
): Promise<Answer> {
  return (await transport.call({ method: 'GET', path, query, repeatable: 'always' }, options)) as Answer
}

interface Body {
  /** Milliseconds. */
  timeout?: number
  [field: string]: unknown
}

/** A call that costs credits and changes nothing. */
export async function work<Answer>(
  transport: Transport,
  path: string,
  body: Body,
  options: CallOptions,
): Promise<Answer> {
  const timeoutMs = workTimeout(body.timeout ?? longestWorkMs)
  const call = { method: 'POST', path, body, repeatable: 'unpaid', timeoutMs } as const
  return (await transport.call(call, options)) as Answer
}

/** The service keeps its own time limit; the client only waits somewhat longer than that. */
export function workTimeout(limitMs: number): number {
  return limitMs + 30_000
}
