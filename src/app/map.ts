import type { Team } from '../accounts/team.ts'
import { checkPatterns } from '../features/discover/patterns.ts'
import { type MapRequest, type MapResult, mapTime } from '../features/map.ts'
import { toValue } from '../jobs/run-once.ts'
import type { Bound, WaitingCaller } from './needs.ts'

export function mapUseCases({ clock, kinds, runOnce }: Pick<Bound, 'clock' | 'kinds' | 'runOnce'>) {
  return {
    async map(team: Team, request: MapRequest, caller: WaitingCaller): Promise<MapResult> {
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
      return toValue(await runOnce(kinds.map, order, { timeoutMs, ...caller }))
    },
  }
}
