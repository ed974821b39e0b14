import { WinnowError } from '../../../client/src/errors.ts'
import { type Call, type CallOptions, createTransport } from '../../../client/src/transport.ts'
import { getKey } from './key.ts'

export { WinnowError }

type RequestOptions = Pick<Call, 'body' | 'form' | 'query'> & Pick<CallOptions, 'signal'>

/**
 * Creates a transport without retries and timeouts: the user repeats and cancels calls. The key can change between
 * calls.
 */
const createServiceTransport = () =>
  createTransport({
    ...{ baseUrl: location.origin, apiKey: getKey() ?? '' },
    ...{ retries: 0, timeoutMs: Number.POSITIVE_INFINITY },
  })

/** Calls the API with the stored key and returns the parsed response body. */
export async function request<ResponseBody>(
  method: Call['method'],
  path: string,
  { signal, ...options }: RequestOptions = {},
): Promise<ResponseBody> {
  const body = await createServiceTransport().call(
    { method, path, retry: 'unstarted', ...options },
    { signal },
  )
  // The response types are generated from the OpenAPI description. Tests check the service against it.
  return body as ResponseBody
}

/** Calls the API and returns the raw response, for streams and files. */
export async function openResponse(
  path: string,
  { signal, query }: Pick<RequestOptions, 'signal' | 'query'> = {},
) {
  return createServiceTransport().open({ method: 'GET', path, retry: 'always', query }, { signal })
}

/** Returns true for an error with a 4xx status: the service rejected the request, so it is not repeated. */
export function isClientError(thrown: unknown): boolean {
  return thrown instanceof WinnowError && thrown.status >= 400 && thrown.status < 500
}
