import { AppError } from '../../base/errors.ts'
import { withoutPlaces } from '../../base/without-places.ts'
import { ServerError } from './server-error.ts'

/** What a caller may know of a failure: a reason without the key and without places of this network, and what to do. */
export function modelFailure(
  thrown: unknown,
  { key, name, title }: { key: string; name: string; title: string },
): AppError {
  const { status, hint } = thrown instanceof ServerError ? thrown : {}
  const said = withoutPlaces(thrown instanceof Error ? thrown.message : String(thrown))
  const reason = status === undefined ? said : `status ${status}: ${said}`
  return new AppError('MODEL_FAILED', {
    phase: 'model',
    reason: (key === '' ? reason : reason.replaceAll(key, '[key]')).slice(0, 300),
    hint: hint ?? hintFor(status, { name, title }),
  })
}

function hintFor(status: number | undefined, { name, title }: { name: string; title: string }): string {
  if (status === undefined || (status >= 300 && status < 400))
    return `The model server does not answer as a ${title}. The operator should check MODEL_URL and MODEL_PROTOCOL.`
  if (status === 401 || status === 403)
    return 'The model server rejected the key. The operator should check MODEL_KEY.'
  if (status === 404)
    return `The model server does not know the model ${name}. The operator should check MODEL_URL and MODEL_NAME.`
  if (status === 429) return 'The model server is rate-limited at the moment. Call again later.'
  if (status >= 500) return 'The model server is failing at the moment. Call again later.'
  return 'The model server rejected the request; see reason. The operator should check MODEL_NAME. A shorter page may also help.'
}
