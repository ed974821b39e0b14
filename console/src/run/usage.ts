import { useQuery } from '@tanstack/react-query'
import { ApiError, request } from '../api/request.ts'

export interface UsageDay {
  date: string
  credits: number
  creditsByKind: Record<string, number>
  /** Undefined where the service does not say it. */
  calls?: number
  callsByState?: Record<string, number>
}

export function useUsage(days: number) {
  return useQuery({ queryKey: ['team', 'usage', days], queryFn: () => readUsage(days) })
}

async function readUsage(days: number): Promise<UsageDay[]> {
  try {
    return (await request<{ data: UsageDay[] }>('GET', '/v2/team/usage', { query: { days } })).data
  } catch (thrown) {
    if (thrown instanceof ApiError && thrown.status === 404) return readHistory(days)
    throw thrown
  }
}

/** Services that do not know the kinds still know the credits of each day. */
async function readHistory(days: number): Promise<UsageDay[]> {
  const path = '/v2/team/credit-usage/historical'
  const { periods } = await request<{ periods: { startDate: string; creditsUsed: number }[] }>('GET', path, {
    query: { timeRange: 'day' },
  })
  const used = new Map(periods.map((period) => [period.startDate.slice(0, 10), period.creditsUsed]))
  return Array.from({ length: days }, (_, index) => {
    const date = new Date(Date.now() - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10)
    const credits = used.get(date) ?? 0
    return { date, credits, creditsByKind: credits > 0 ? { 'all kinds': credits } : {} }
  })
}

/** Those that cost most first: they stand at the bottom of the bars and keep their colours. */
export function kindsIn(days: UsageDay[]): string[] {
  const totals = new Map<string, number>()
  for (const { creditsByKind } of days) {
    for (const [kind, credits] of Object.entries(creditsByKind)) {
      totals.set(kind, (totals.get(kind) ?? 0) + credits)
    }
  }
  return [...totals.entries()].sort((left, right) => right[1] - left[1]).map(([kind]) => kind)
}

/** A round number that no bar is higher than; half of it stands at the middle line. */
export function roundTop(highest: number): number {
  if (highest <= 10) return Math.max(4, Math.ceil(highest / 2) * 2)
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= highest) ?? 10
  return step * power
}
