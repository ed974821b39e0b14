import type { Capability } from '../api/capabilities.ts'
import type { Call } from './calls.ts'
import { isObject } from './form/deep-equal.ts'

/** Unsent requests by call. They are kept when the user switches between calls, until the page is reloaded. */
const drafts = new Map<string, Record<string, unknown>>()

export function saveDraft(call: Call, request: Record<string, unknown>): void {
  drafts.set(call.name, request)
  if (typeof request.url === 'string') drafts.set('url', { url: request.url })
}

/**
 * Returns the first request of a form: the request in the URL, else the draft, else the defaults with the last used
 * URL.
 */
export function getInitialRequest(call: Call, encodedRequest: string | undefined, features: Capability[]) {
  const requestFromUrl = encodedRequest === undefined ? undefined : parseRequest(encodedRequest)
  if (requestFromUrl) return requestFromUrl
  const lastUrl = call.mainFields.includes('url') ? drafts.get('url') : {}
  return drafts.get(call.name) ?? { ...lastUrl, ...getDefaults(call, features) }
}

/** Returns the initial request of a call. Adds a screenshot to scrapes if the browser is available. */
function getDefaults({ name, initialRequest }: Call, features: Capability[]): Record<string, unknown> {
  const hasBrowser = features.some((feature) => feature.name === 'browser' && feature.available)
  if (name !== 'scrape' || !hasBrowser || !Array.isArray(initialRequest.formats)) return initialRequest
  return { ...initialRequest, formats: [...initialRequest.formats, 'screenshot'] }
}

function parseRequest(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
