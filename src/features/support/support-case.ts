import type { TimedStep } from '../../platform/trace/steps.ts'
import type { Capability } from '../capabilities.ts'
import type { JobTrace } from '../job-trace.ts'

/** All that is known when a question is asked, gathered before any cause is looked for. */
export interface SupportCase {
  teamId: string
  /** The question with its rationale and context. */
  words: string
  /** The same without what the asker only guesses. */
  said: string
  /** Undefined where no job fits the question. */
  job: JobTrace | undefined
  /** Pages of the job that say most about it, where it is a crawl or a batch. */
  children: JobTrace[]
  /** The page that the question is about: the job itself, or that of its children which says most. */
  page: JobTrace | undefined
  /** Addresses of the pages of a crawl or a batch, some of them. */
  targets: readonly string[]
  /** Browser sessions that were opened on the page of the job, and whether they have ended. */
  sessions: readonly { hasEnded: boolean }[]
  /** What the job was asked for, as far as it is on record. */
  request: Record<string, unknown>
  /** The same of the page. */
  pageRequest: Record<string, unknown>
  /** What the job or its page answered, as far as that is kept and short. */
  document: AnsweredDocument | undefined
  account: AccountState
  capabilities: readonly Capability[]
  now: number
  /** True if the caller lets trials run actions with effects. */
  allowsActions: boolean
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

/** Whether what the question states matches; what it guesses is no evidence. */
export const mentions = ({ said }: SupportCase, pattern: RegExp) => pattern.test(said)

/** True if a warning of the document, or of a job that wrote one, matches. */
export const quotesWarning = ({ document, job, children }: SupportCase, pattern: RegExp) =>
  pattern.test(document?.warning ?? '') ||
  [job, ...children]
    .flatMap((one) => one?.steps ?? [])
    .some((step) => step.step === 'write' && step.warnings.some((text) => pattern.test(text)))

/** The last step of a name on the way of the page. */
export function lastStep<Name extends StepName>({ page }: Pick<SupportCase, 'page'>, name: Name) {
  return stepsOf({ job: page, children: [] }, name).at(-1)
}

/** What the last verdict on the page said. */
export function lastVerdict(facts: SupportCase) {
  return lastStep(facts, 'verdict')
}

/** The option of the request, from the request itself, from the scrape options inside it, or from what its page was asked for. */
export function optionOf({ request, pageRequest }: SupportCase, name: string): unknown {
  const inner = request.scrapeOptions ?? request.options
  const within = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  return request[name] ?? within[name] ?? pageRequest[name]
}

/** How long the Markdown is that came; undefined where none was asked for or none is known. */
export function markdownLength(facts: SupportCase): number | undefined {
  return facts.document?.markdown?.length ?? lastStep(facts, 'write')?.markdownCharacters
}

/** Words of those who miss a part of a page. */
const missing =
  /\b(?:empty|blank|nothing|none|never|zero|missing|forgets?|gone|hardly|nearly|incomplete|cut|truncat\w*|only|thin|lacks?|lost|without|not (?:in|on|one|any|a single|even|there|all|everything|found|returned|included|part)|\w+n'?t|no [a-z]+|where (?:is|are))\b/i

export const missesContent = ({ words }: SupportCase) => missing.test(words)

/** Below this, a page has hardly any Markdown. */
const thin = 250

export function isThin(facts: SupportCase): boolean {
  return (markdownLength(facts) ?? Number.POSITIVE_INFINITY) < thin
}

/** Text that was taken for furniture, in characters. */
export function boilerplateLength(facts: SupportCase): number {
  const left = lastStep(facts, 'read')?.leftOut ?? []
  return left.find(({ reason }) => reason === 'not main content')?.characters ?? 0
}
