import { WinnowError } from '../../errors.ts'
import { argument, type Context, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { printRecord } from '../records.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  const { terminal, values, signal } = context
  const requests = integerOption(context, 'requests', { fallback: 20, max: 1000 })
  const concurrency = Math.min(requests, integerOption(context, 'concurrency', { fallback: 2, max: 32 }))
  const body = { ...(values.flags.has('cached') ? {} : { maxAge: 0, storeInCache: false }), ...context.body }
  const times: number[] = []
  const errors: Record<string, number> = {}
  let started = 0
  const benchStartedAt = performance.now()
  const runRequests = async () => {
    while (started < requests && !signal.aborted) {
      started += 1
      const startedAt = performance.now()
      try {
        // A retry would hide a failure behind a long duration.
        await context.winnow.scrape(argument(context, 0), body, { signal, retries: 0 })
        times.push(performance.now() - startedAt)
      } catch (thrown) {
        if (!(thrown instanceof WinnowError) || thrown.status === 0 || thrown.status === 401) throw thrown
        errors[thrown.code] = (errors[thrown.code] ?? 0) + 1
      }
      terminal.status?.(`${times.length}/${requests} requests`)
    }
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, runRequests))
  } finally {
    terminal.status?.('')
  }
  const seconds = (performance.now() - benchStartedAt) / 1000
  await printRecord(context, summary({ times, errors, seconds, requests, concurrency }))
  if (times.length === 0) return exitCodes.failed
  return times.length < requests ? exitCodes.partlyFailed : exitCodes.done
}

function integerOption(
  { values }: Context,
  name: string,
  { fallback, max }: { fallback: number; max: number },
): number {
  const number = values.numbers.get(name) ?? fallback
  if (Number.isInteger(number) && number >= 1 && number <= max) return number
  throw new UsageError(
    `--${name} takes a whole number from 1 to ${max}. For more, use a tool made for load tests.`,
  )
}

interface Measurements {
  times: number[]
  errors: Record<string, number>
  seconds: number
  requests: number
  concurrency: number
}

function summary({ times, errors, seconds, requests, concurrency }: Measurements) {
  const sorted = [...times].sort((left, right) => left - right)
  const percentile = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return {
    requests,
    concurrency,
    seconds: Number(seconds.toFixed(2)),
    perSecond: Number((times.length / seconds).toFixed(2)),
    ...(times.length === 0 ? {} : { p50Ms: percentile(0.5), p95Ms: percentile(0.95), maxMs: percentile(1) }),
    failed: Object.values(errors).reduce((sum, count) => sum + count, 0),
    ...(Object.keys(errors).length === 0 ? {} : { errors }),
  }
}
