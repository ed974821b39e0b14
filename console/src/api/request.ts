import { WinnowError } from '../../../client/src/errors.ts'
import { type Call, type CallOptions, createTransport } from '../../../client/src/transport.ts'
import { currentKey } from './key.ts'

export { WinnowError }

type Sent = Pick<Call, 'body' | 'form' | 'query'> & Pick<CallOptions, 'signal'>

/** As often as the user asks, and as long as the user waits. The key may be another one with each call. */
const service = () =>
  createTransport({
    ...{ baseUrl: location.origin, apiKey: currentKey() ?? '' },
    ...{ retries: 0, timeoutMs: Number.POSITIVE_INFINITY },
  })

/** Calls the API with the key of the caller. */
export async function request<Answer>(
  method: Call['method'],
  path: string,
  { signal, ...sent }: Sent = {},
): Promise<Answer> {
  const answer = await service().call({ method, path, repeatable: 'unstarted', ...sent }, { signal })
  // The shapes are those of the API description, which tests hold the service to.
  return answer as Answer
}

/** The same for answers that are read as they come. */
export async function open(path: string, { signal, query }: Pick<Sent, 'signal' | 'query'> = {}) {
  return service().open({ method: 'GET', path, repeatable: 'always', query }, { signal })
}

/** The service has answered that it will not do this: asking again changes nothing. */
export function isRefusal(thrown: unknown): boolean {
  return thrown instanceof WinnowError && thrown.status >= 400 && thrown.status < 500
}
