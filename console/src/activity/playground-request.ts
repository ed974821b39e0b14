import type { JobTrace } from '../../../client/src/types.ts'

/** Name of the call, and of its request field that contains the target of the job, by job kind. */
const targetFields: Record<string, { call: string; field: string }> = {
  scrape: { call: 'scrape', field: 'url' },
  map: { call: 'map', field: 'url' },
  crawl: { call: 'crawl', field: 'url' },
  search: { call: 'search', field: 'query' },
}

interface PlaygroundRequest {
  call: string
  request: Record<string, unknown>
}

/** Rebuilds the request from the trace and merges in the fix. A null in the fix removes an option. */
export function playgroundRequest(
  { kind, target, steps }: JobTrace,
  fix: Record<string, unknown>,
): PlaygroundRequest | undefined {
  const targetField = targetFields[kind]
  if (!targetField || target === null) return undefined
  const plan = kind === 'scrape' ? steps.find((step) => step.step === 'plan') : undefined
  const request: Record<string, unknown> = {
    [targetField.field]: target,
    ...(plan ? { formats: plan.formats, onlyMainContent: plan.onlyMainContent } : {}),
    ...(plan && plan.waitForMs > 0 ? { waitFor: plan.waitForMs } : {}),
  }
  for (const [name, value] of Object.entries(fix)) {
    if (value === null) delete request[name]
    else request[name] = value
  }
  return { call: targetField.call, request }
}
