import { privateFields, type TimedStep, type TraceStep } from './steps.ts'

/** Notes what happens on the way of a job. */
export interface Trace {
  note(step: TraceStep): void
}

export interface TraceRecorder extends Trace {
  /** The steps as JSON, bounded; null where nothing was noted. Without words: what may be kept of a call with zero retention. */
  written(words: { areKept: boolean }): string | null
  /** The steps so far, as they were noted. */
  steps(): TimedStep[]
  /** Milliseconds since it began. */
  elapsed(): number
}

/** For work that no job stands for. */
export const noTrace: Trace = { note() {} }

const maxSteps = 100
/** Of the steps beyond the bound, the last are kept: they say how it ended. */
const lastSteps = 20
const longestText = 300
const maxEntries = 20
const maxCharacters = 16_000

export function startTrace(now: () => number = () => performance.now()): TraceRecorder {
  const began = now()
  const first: TimedStep[] = []
  const last: TimedStep[] = []
  let lost = 0
  const steps = (): TimedStep[] => [
    ...first,
    ...(lost > 0 ? [{ at: 0, step: 'omitted' as const, steps: lost }] : []),
    ...last,
  ]
  return {
    note(step) {
      const timed = { at: Math.round(now() - began), ...step }
      if (first.length < maxSteps - lastSteps) return void first.push(timed)
      last.push(timed)
      if (last.length <= lastSteps) return
      last.shift()
      lost += 1
    },
    steps,
    elapsed: () => now() - began,
    written({ areKept }) {
      if (first.length === 0) return null
      const all = steps()
      const written = JSON.stringify(all.map(areKept ? shortened : withoutWords))
      return written.length <= maxCharacters ? written : JSON.stringify(all.map(withoutWords))
    },
  }
}

/** Nearly every step is short as it is, and every call has some: those are not copied. */
function shortened(step: TimedStep): object {
  return Object.values(step).some(isLong) ? mapped(step, (_, value) => shortValue(value)) : step
}

function isLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > longestText
  return Array.isArray(value) && (value.length > maxEntries || value.some(isLong))
}

function shortValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, longestText)
  return Array.isArray(value) ? value.slice(0, maxEntries).map(shortEntry) : value
}

const shortEntry = (entry: unknown) => (typeof entry === 'string' ? entry.slice(0, longestText) : entry)

function withoutWords(step: TimedStep): object {
  return mapped(step, (name, value) => (privateFields.has(name) ? emptied(value) : value))
}

/** A list that must be there stays as an empty one. */
const emptied = (value: unknown) => (Array.isArray(value) ? [] : undefined)

function mapped(step: TimedStep, change: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(step).map(([name, value]) => [name, change(name, value)]))
}
