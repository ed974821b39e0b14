import type { JobTrace } from '../../../client/src/types.ts'

/** What the target of a job is called in its request. */
const targets: Record<string, { call: string; field: string }> = {
  scrape: { call: 'scrape', field: 'url' },
  map: { call: 'map', field: 'url' },
  crawl: { call: 'crawl', field: 'url' },
  search: { call: 'search', field: 'query' },
}

interface PlaygroundRequest {
  call: string
  request: Record<string, unknown>
}

/** The call as far as it is known, with the remedy merged in; null in it means to leave an option out. */
export function playgroundRequest(
  { kind, target, steps }: JobTrace,
  fix: Record<string, unknown>,
): PlaygroundRequest | undefined {
  const known = targets[kind]
  if (!known || target === null) return undefined
  const plan = kind === 'scrape' ? steps.find((step) => step.step === 'plan') : undefined
  const request: Record<string, unknown> = {
    [known.field]: target,
    ...(plan ? { formats: plan.formats, onlyMainContent: plan.onlyMainContent } : {}),
    ...(plan && plan.waitForMs > 0 ? { waitFor: plan.waitForMs } : {}),
  }
  for (const [name, value] of Object.entries(fix)) {
    if (value === null) delete request[name]
    else request[name] = value
  }
  return { call: known.call, request }
}
