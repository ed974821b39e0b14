import { APICallError } from '@ai-sdk/provider'
import { AppError } from '../../base/errors.ts'
import { withoutPlaces } from '../../base/without-places.ts'

/** The server understood the request and rejected it. */
export function isRefusal(thrown: unknown): boolean {
  return APICallError.isInstance(thrown) && (thrown.statusCode === 400 || thrown.statusCode === 422)
}

/** Without a cause: the library's errors contain the whole request, including page text, which must not be logged. */
export function modelFailure(thrown: unknown, { key, name }: { key: string; name: string }): AppError {
  const status = APICallError.isInstance(thrown) ? thrown.statusCode : undefined
  const said = withoutPlaces(thrown instanceof Error ? thrown.message : String(thrown))
  const reason = status === undefined ? said : `status ${status}: ${said}`
  return new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: reason.replaceAll(key, '[key]').slice(0, 300),
    hint: hintFor(status, name),
  })
}

function hintFor(status: number | undefined, name: string): string {
  if (status === undefined)
    return 'The model server does not answer as a chat completions API. The operator should check MODEL_URL.'
  if (status === 401 || status === 403)
    return 'The model server rejected the key. The operator should check MODEL_KEY.'
  if (status === 404)
    return `The model server does not know the model ${name}. The operator should check MODEL_URL and MODEL_NAME.`
  if (status === 429) return 'The model server is rate-limited at the moment. Call again later.'
  if (status >= 500) return 'The model server is failing at the moment. Call again later.'
  return 'The model server rejected the request; see reason. The operator should check MODEL_NAME. A shorter page may also help.'
}
