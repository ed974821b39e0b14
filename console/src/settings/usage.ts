import { useQuery } from '@tanstack/react-query'
import type { GetTeamUsageResponse } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

export type UsageDay = GetTeamUsageResponse['data'][number]

export function useUsage(days: number) {
  return useQuery({
    queryKey: ['team', 'usage', days],
    queryFn: async () =>
      (await request<GetTeamUsageResponse>('GET', '/v2/team/usage', { query: { days } })).data,
  })
}

/** Lists the job kinds, most expensive first. The order sets their position in the bars and their colours. */
export function listKinds(days: UsageDay[]): string[] {
  const totals = new Map<string, number>()
  for (const { creditsByKind } of days) {
    for (const [kind, credits] of Object.entries(creditsByKind)) {
      totals.set(kind, (totals.get(kind) ?? 0) + credits)
    }
  }
  return [...totals.entries()].sort((left, right) => right[1] - left[1]).map(([kind]) => kind)
}

/** Returns a round axis maximum, which is at least the highest bar. The chart labels half of it as well. */
export function getAxisMaximum(highest: number): number {
  if (highest <= 10) return Math.max(4, Math.ceil(highest / 2) * 2)
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 4, 6, 8, 10].find((factor) => factor * power >= highest) ?? 10
  return step * power
}
