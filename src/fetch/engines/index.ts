import type { Clock } from '../../platform/clock.ts'
import type { Engine } from '../fetch-outcome.ts'
import type { HttpClient } from '../network/client.ts'
import { type ChromiumDeps, chromiumEngine } from './chromium.ts'
import { httpEngine } from './http.ts'

/** Returns the engines, cheapest first; only HTTP if this machine has no browser. */
export function engines(deps: {
  client: HttpClient
  clock: Clock
  chromium: ChromiumDeps | undefined
}): Engine[] {
  return [httpEngine(deps), ...(deps.chromium ? [chromiumEngine(deps.chromium)] : [])]
}
