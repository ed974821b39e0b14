import { privateFields, type TimedStep, type TraceStep } from './steps.ts'

export interface Trace {
  note(step: TraceStep): void
}

export interface TraceRecorder extends Trace {
  /** Returns JSON of limited length; null without steps. Zero retention requires that private fields are removed. */
  toJson(options: { includesPrivateFields: boolean }): string | null
  steps(): TimedStep[]
  elapsed(): number
}

export const noTrace: Trace = { note() {} }

const maxSteps = 100
/** The last steps are kept if there are too many, because they show how the job ended. */
const lastSteps = 20
const maxTextLength = 300
const maxEntries = 20
const maxCharacters = 16_000

export function startTrace(now: () => number = () => performance.now()): TraceRecorder {
  const startedAt = now()
  const first: TimedStep[] = []
  const last: TimedStep[] = []
  let omitted = 0
  const steps = (): TimedStep[] => [
    ...first,
    ...(omitted > 0 ? [{ at: 0, step: 'omitted' as const, steps: omitted }] : []),
    ...last,
  ]
  return {
    note(step) {
      const timed = { at: Math.round(now() - startedAt), ...step }
      if (first.length < maxSteps - lastSteps) return void first.push(timed)
      last.push(timed)
      if (last.length <= lastSteps) return
      last.shift()
      omitted += 1
    },
    steps,
    elapsed: () => now() - startedAt,
    toJson({ includesPrivateFields }) {
      if (first.length === 0) return null
      const all = steps()
      const json = JSON.stringify(all.map(includesPrivateFields ? shortenStep : withoutPrivateFields))
      return json.length <= maxCharacters ? json : JSON.stringify(all.map(withoutPrivateFields))
    },
  }
}

/** Short steps, which are nearly all steps, are returned without a copy. */
function shortenStep(step: TimedStep): object {
  return Object.values(step).some(isTooLong) ? mapFields(step, (_, value) => shortenValue(value)) : step
}

function isTooLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > maxTextLength
  return Array.isArray(value) && (value.length > maxEntries || value.some(isTooLong))
}

function shortenValue(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, maxTextLength)
  return Array.isArray(value) ? value.slice(0, maxEntries).map(shortenEntry) : value
}

const shortenEntry = (entry: unknown) => (typeof entry === 'string' ? entry.slice(0, maxTextLength) : entry)

function withoutPrivateFields(step: TimedStep): object {
  return mapFields(step, (name, value) => (privateFields.has(name) ? toEmpty(value) : value))
}

/** Returns an empty list for a list, because a required list must remain. */
const toEmpty = (value: unknown) => (Array.isArray(value) ? [] : undefined)

function mapFields(step: TimedStep, change: (name: string, value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(step).map(([name, value]) => [name, change(name, value)]))
}
