import type { Team } from '../accounts/team.ts'
import { checkPatterns } from '../features/discover/patterns.ts'
import { type MapRequest, type MapResult, mapTime } from '../features/map.ts'
import type { Bound } from './needs.ts'

export function mapUseCases({ clock, kinds, runNow }: Pick<Bound, 'clock' | 'kinds' | 'runNow'>) {
  return {
    async map(team: Team, request: MapRequest, signal: AbortSignal): Promise<MapResult> {
      await checkPatterns(request)
      const timeoutMs = mapTime(request)
      const order = {
        team,
        input: request,
        target: request.url,
        origin: request.origin,
        retain: true,
        deadlineAt: clock.now() + timeoutMs,
        price: 1,
      }
      return runNow(kinds.map, order, { timeoutMs, signal })
    },
  }
}
