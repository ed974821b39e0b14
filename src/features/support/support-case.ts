import type { TimedStep } from '../../base/trace/steps.ts'
import type { Capability } from '../capabilities.ts'
import type { JobTrace } from '../job-trace.ts'

/** All that is known when a question is asked, gathered before any cause is looked for. */
export interface SupportCase {
  teamId: string
  /** The question with its rationale and context. */
  words: string
  /** Undefined where no job fits the question. */
  job: JobTrace | undefined
  /** Pages of the job that say most about it, where it is a crawl or a batch. */
  children: JobTrace[]
  /** What the job was asked for, as far as it is on record. */
  request: Record<string, unknown>
  /** What it answered, as far as that is kept and short. */
  document: AnsweredDocument | undefined
  account: AccountState
  capabilities: readonly Capability[]
  now: number
}

export interface AnsweredDocument {
  markdown?: string
  warning?: string
  metadata?: Record<string, unknown>
  json?: unknown
  /** Of a map. */
  links?: unknown[]
}

export interface AccountState {
  /** Null: unlimited. */
  remainingCredits: number | null
  running: number
  waiting: number
  maxConcurrency: number
  /** Calls of this minute, and how many there may be. */
  callsThisMinute: number
  callsPerMinute: number
  /** How jobs of the last day failed, by code. */
  recentFailures: Map<string, number>
}

/** A section of the documentation that fits a question. */
export interface FoundSection {
  pathOrUrl: string
  title: string
  /** The sentences that answer best. */
  text: string
}

type StepName = TimedStep['step']

/** The steps of one name, of the job and of the pages that say most about it. */
export function stepsOf<Name extends StepName>(
  { job, children }: Pick<SupportCase, 'job' | 'children'>,
  name: Name,
): Extract<TimedStep, { step: Name }>[] {
  const steps = [job, ...children].flatMap((one) => one?.steps ?? [])
  return steps.filter((step) => step.step === name) as Extract<TimedStep, { step: Name }>[]
}

/** Whether the job, or a page of it, ended with one of these codes. */
export function failedWith({ job, children }: SupportCase, ...codes: string[]): string | undefined {
  const met = [
    ...(job?.error ? [job.error.code] : []),
    ...(job?.pages?.errors ?? []).map(({ code }) => code),
    ...children.flatMap(({ error }) => (error ? [error.code] : [])),
    ...(job?.steps ?? []).flatMap((step) => (step.step === 'fetch' && step.code ? [step.code] : [])),
  ]
  return codes.find((code) => met.includes(code))
}

/** Whether the words of the question match. */
export const speaksOf = ({ words }: SupportCase, pattern: RegExp) => pattern.test(words)

/** Whether a code, a status or a warning of this kind is quoted in the question. */
export const warnsOf = ({ document, job, children }: SupportCase, pattern: RegExp) =>
  pattern.test(document?.warning ?? '') ||
  [job, ...children]
    .flatMap((one) => one?.steps ?? [])
    .some((step) => step.step === 'write' && step.warnings.some((text) => pattern.test(text)))

/** What the last verdict on the page said. */
export function lastVerdict(facts: SupportCase) {
  return stepsOf(facts, 'verdict').at(-1)
}

/** The option of the request, from the request itself or from the scrape options inside it. */
export function optionOf({ request }: SupportCase, name: string): unknown {
  const inner = request.scrapeOptions ?? request.options
  const within = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  return request[name] ?? within[name]
}

/** How long the Markdown is that came; undefined where none was asked for or none is known. */
export function markdownLength(facts: SupportCase): number | undefined {
  return facts.document?.markdown?.length ?? stepsOf(facts, 'write').at(-1)?.markdownCharacters
}

/** Words of those who miss a part of a page. */
const missing =
  /\b(?:empty|blank|nothing|missing|incomplete|cut|truncat\w*|only|thin|lacks?|lost|without|not (?:in|on|there|all|everything|found|returned|included|part)|\w+n'?t|no (?:text|content|data)|where (?:is|are))\b/i

export const missesContent = ({ words }: SupportCase) => missing.test(words)

/** Below this, a page has hardly any Markdown. */
const thin = 250

export function isThin(facts: SupportCase): boolean {
  return (markdownLength(facts) ?? Number.POSITIVE_INFINITY) < thin
}

/** Text that was taken for furniture, in characters. */
export function furnitureLength(facts: SupportCase): number {
  const left = stepsOf(facts, 'read').at(-1)?.leftOut ?? []
  return left.find(({ reason }) => reason === 'not main content')?.characters ?? 0
}
