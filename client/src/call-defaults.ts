import type { Call, CallOptions, Transport } from './transport.ts'

/** Maximum time that the service takes for one call. */
export const maxWorkMs = 300_000

export async function read<ResponseBody>(
  transport: Transport,
  path: string,
  query: Call['query'],
  options: CallOptions | undefined,
): Promise<ResponseBody> {
  return (await transport.call({ method: 'GET', path, query, retry: 'always' }, options)) as ResponseBody
}

interface Body {
  /** Timeout in milliseconds. */
  timeout?: number
  [field: string]: unknown
}

/**
 * Makes a POST call that costs credits. Actions change the site, so a call with actions is retried only if it has not
 * started.
 */
export async function work<ResponseBody>(
  transport: Transport,
  path: string,
  body: Body,
  options: CallOptions,
): Promise<ResponseBody> {
  const timeoutMs = workTimeout(body.timeout ?? maxWorkMs)
  const hasActions = Array.isArray(body.actions) && body.actions.length > 0
  const call = {
    method: 'POST',
    path,
    body,
    retry: hasActions ? 'unstarted' : 'unpaid',
    timeoutMs,
  } as const
  return (await transport.call(call, options)) as ResponseBody
}

/** Returns the timeout of a call. The service enforces its own limit, so the client waits slightly longer. */
export function workTimeout(limitMs: number): number {
  return limitMs + 30_000
}
