import { JsonText } from '../base/json-text.ts'
import type { Endpoint } from './endpoint.ts'

/** Says in the answer which options of the call had no effect: beside the data if that is a recorded response. */
export function tellIgnored(endpoint: Endpoint, answer: unknown, ignored: string[]): unknown {
  const text = `No effect here: ${ignored.join(', ')}.`
  const add = (holder: { warning?: string | undefined }) => ({
    ...holder,
    warning: holder.warning === undefined ? text : `${holder.warning} ${text}`,
  })
  // Every answer is an envelope, and an endpoint that says so has its document in `data`.
  const body = answer as { warning?: string; data?: { warning?: string } }
  const isInData = endpoint.warningIn === 'data' && !(body.data instanceof JsonText)
  return isInData ? { ...body, data: add(body.data ?? {}) } : add(body)
}
