import type { TimedStep } from '../../platform/trace/steps.ts'
import type { Capability } from '../capabilities.ts'
import type { JobTrace } from '../job-trace.ts'

/** All facts that are collected before the causes are evaluated. */
export interface SupportCase {
  teamId: string
  /** Text of the question with its rationale and context. */
  questionText: string
  /** The same text without guesses. */
  statements: string
  /** Job that the question is about; undefined if no job matches. */
  job: JobTrace | undefined
  /** Most relevant pages of the job, if it is a crawl or a batch. */
  children: JobTrace[]
  /** Page that the question is about: the job itself, or its most relevant child. */
  page: JobTrace | undefined
  /** URLs of some pages of a crawl or a batch. */
  targets: readonly string[]
  /** Browser sessions that were opened on the page of the job, with their end state. */
  sessions: readonly { hasEnded: boolean }[]
  /** Stored request of the job. */
  request: Record<string, unknown>
  /** Stored request of the page. */
  pageRequest: Record<string, unknown>
  /** Result of the job or its page, if it is stored and short. */
  document: AnsweredDocument | undefined
  account: AccountState
  capabilities: readonly Capability[]
  now: number
  /** True if the caller allows trials to run actions with effects. */
  allowsActions: boolean
}

export interface AnsweredDocument {
  markdown?: string
  warning?: string
  metadata?: Record<string, unknown>
  json?: unknown
  /** Links of a map result. */
  links?: unknown[]
}

export interface AccountState {
  /** Remaining credits; null for unlimited. */
  remainingCredits: number | null
  running: number
  waiting: number
  maxConcurrency: number
  /** Calls in the current minute, and their limit. */
  callsThisMinute: number
  callsPerMinute: number
}

/** Section of the documentation that matches a question. */
export interface FoundSection {
  pathOrUrl: string
  title: string
  /** Sentences that answer the question best. */
  text: string
}

type StepName = TimedStep['step']

/** Returns the trace steps with this name, of the job and its most relevant pages. */
export function stepsOf<Name extends StepName>(
  { job, children }: Pick<SupportCase, 'job' | 'children'>,
  name: Name,
): Extract<TimedStep, { step: Name }>[] {
  const steps = [job, ...children].flatMap((trace) => trace?.steps ?? [])
  return steps.filter((step) => step.step === name) as Extract<TimedStep, { step: Name }>[]
}

/** Returns the first given code with which the job, a page or a fetch of the job failed. */
export function failedWith({ job, children }: SupportCase, ...codes: string[]): string | undefined {
  const codesFound = [
    ...(job?.error ? [job.error.code] : []),
    ...(job?.pages?.errors ?? []).map(({ code }) => code),
    ...children.flatMap(({ error }) => (error ? [error.code] : [])),
    ...(job?.steps ?? []).flatMap((step) => (step.step === 'fetch' && step.code ? [step.code] : [])),
  ]
  return codes.find((code) => codesFound.includes(code))
}

/** Returns true if the statements of the question match. Guesses are not evidence. */
export const mentions = ({ statements }: SupportCase, pattern: RegExp) => pattern.test(statements)

/** Returns true if a warning of the document matches, or a warning that the job or one of its pages recorded. */
export const quotesWarning = ({ document, job, children }: SupportCase, pattern: RegExp) =>
  pattern.test(document?.warning ?? '') ||
  [job, ...children]
    .flatMap((trace) => trace?.steps ?? [])
    .some((step) => step.step === 'write' && step.warnings.some((text) => pattern.test(text)))

/** Returns the last trace step of the page with this name. */
export function lastStep<Name extends StepName>({ page }: Pick<SupportCase, 'page'>, name: Name) {
  return stepsOf({ job: page, children: [] }, name).at(-1)
}

/** Returns the last verdict on the page. */
export function lastVerdict(facts: SupportCase) {
  return lastStep(facts, 'verdict')
}

/** Returns an option of the request, of the scrape options inside it, or of the page request. */
export function optionOf({ request, pageRequest }: SupportCase, name: string): unknown {
  const scrapeOptions = request.scrapeOptions ?? request.options
  const nested =
    typeof scrapeOptions === 'object' && scrapeOptions !== null
      ? (scrapeOptions as Record<string, unknown>)
      : {}
  return request[name] ?? nested[name] ?? pageRequest[name]
}

/** Returns the length of the Markdown; undefined if it was not requested or is not known. */
export function markdownLength(facts: SupportCase): number | undefined {
  return facts.document?.markdown?.length ?? lastStep(facts, 'write')?.markdownCharacters
}

/** Words of a question that indicate missing content. */
const missing =
  /\b(?:empty|blank|nothing|none|never|zero|missing|forgets?|gone|hardly|nearly|incomplete|cut|truncat\w*|only|thin|lacks?|lost|without|not (?:in|on|one|any|a single|even|there|all|everything|found|returned|included|part)|\w+n'?t|no [a-z]+|where (?:is|are))\b/i

export const missesContent = ({ questionText }: SupportCase) => missing.test(questionText)

/** Length in characters below which a page has almost no Markdown. */
const minLength = 250

export function isThin(facts: SupportCase): boolean {
  return (markdownLength(facts) ?? Number.POSITIVE_INFINITY) < minLength
}

/** Returns the number of characters that were removed as boilerplate. */
export function boilerplateLength(facts: SupportCase): number {
  const removed = lastStep(facts, 'read')?.leftOut ?? []
  return removed.find(({ reason }) => reason === 'not main content')?.characters ?? 0
}
