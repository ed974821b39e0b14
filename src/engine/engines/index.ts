import type { Clock } from '../../base/clock.ts'
import type { HttpClient } from '../../network/client.ts'
import type { Engine } from './engine.ts'
import { httpEngine } from './http.ts'

/** The engines, cheapest first; the place in this list is the rung of the ladder. */
export function engines(needs: { client: HttpClient; clock: Clock }): Engine[] {
  return [httpEngine(needs)]
}
