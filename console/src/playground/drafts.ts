import type { Capability } from '../api/capabilities.ts'
import type { Call } from './calls.ts'
import { isObject } from './form/deep-equal.ts'

/** What was filled in, as long as this page is open: to look at another call loses nothing. */
const drafts = new Map<string, Record<string, unknown>>()

export function saveDraft(call: Call, request: Record<string, unknown>): void {
  drafts.set(call.name, request)
  if (typeof request.url === 'string') drafts.set('url', { url: request.url })
}

/** A request that another page wants to be tried, what was there before, or a beginning with the address last used. */
export function firstRequest(call: Call, wanted: string | undefined, features: Capability[]) {
  const given = wanted === undefined ? undefined : parsed(wanted)
  if (given) return given
  const last = call.first.includes('url') ? drafts.get('url') : {}
  return drafts.get(call.name) ?? { ...last, ...startOf(call, features) }
}

/** A page is also shown as a picture, where there is a browser to take one. */
function startOf({ name, start }: Call, features: Capability[]): Record<string, unknown> {
  const hasBrowser = features.some((one) => one.name === 'browser' && one.available)
  if (name !== 'scrape' || !hasBrowser || !Array.isArray(start.formats)) return start
  return { ...start, formats: [...start.formats, 'screenshot'] }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
