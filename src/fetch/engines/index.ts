import type { Clock } from '../../platform/clock.ts'
import type { Engine } from '../fetch-outcome.ts'
import type { HttpClient } from '../network/client.ts'
import { type ChromiumNeeds, chromiumEngine } from './chromium.ts'
import { httpEngine } from './http.ts'

/** The engines, cheapest first; without a browser on this machine there is only the first. */
export function engines(needs: {
  client: HttpClient
  clock: Clock
  chromium: ChromiumNeeds | undefined
}): Engine[] {
  return [httpEngine(needs), ...(needs.chromium ? [chromiumEngine(needs.chromium)] : [])]
}
