import type { TimedStep } from '../../platform/trace/steps.ts'
import type { Capability } from '../capabilities.ts'
import type { JobTrace } from '../job-trace.ts'
import type { CaseReaders, ResultDocument } from './read-case.ts'

export interface SupportCase {
  teamId: string
  /** Text of the question with its rationale and context. */
  questionText: string
  /** The same text without guesses. */
  statements: string
  job: JobTrace | undefined
  /** Most relevant pages of the job, if it is a crawl or a batch. */
  children: JobTrace[]
  /** Page that the question is about: the job itself, or its most relevant child. */
  page: JobTrace | undefined
  targets: readonly string[]
  sessions: readonly { hasEnded: boolean }[]
  request: Record<string, unknown>
  pageRequest: Record<string, unknown>
  document: ResultDocument | undefined
  account: Awaited<ReturnType<CaseReaders['account']>>
  capabilities: readonly Capability[]
  now: number
  allowsActions: boolean
}

type StepName = TimedStep['step']

export function stepsOf<Name extends StepName>(
  { job, children }: Pick<SupportCase, 'job' | 'children'>,
  name: Name,
): Extract<TimedStep, { step: Name }>[] {
  const steps = [job, ...children].flatMap((trace) => trace?.steps ?? [])
  return steps.filter((step) => step.step === name) as Extract<TimedStep, { step: Name }>[]
}

export function failedWith({ job, children }: SupportCase, ...codes: string[]): string | undefined {
  const codesFound = [
    ...(job?.error ? [job.error.code] : []),
    ...(job?.pages?.errors ?? []).map(({ code }) => code),
    ...children.flatMap(({ error }) => (error ? [error.code] : [])),
    ...(job?.steps ?? []).flatMap((step) => (step.step === 'fetch' && step.code ? [step.code] : [])),
  ]
  return codes.find((code) => codesFound.includes(code))
}

export const jobErrorOf = ({ job }: SupportCase, otherwise: string) =>
  (job?.error?.error ?? otherwise).slice(0, 300)

/** Returns true if the statements of the question match. Guesses are not evidence. */
export const mentions = ({ statements }: SupportCase, pattern: RegExp) => pattern.test(statements)

export const quotesWarning = (facts: SupportCase, pattern: RegExp) =>
  pattern.test(facts.document?.warning ?? '') ||
  stepsOf(facts, 'write').some(({ warnings }) => warnings.some((text) => pattern.test(text)))

export const pageSteps = <Name extends StepName>(page: JobTrace | undefined, name: Name) =>
  stepsOf({ job: page, children: [] }, name)

export const lastStep = <Name extends StepName>({ page }: Pick<SupportCase, 'page'>, name: Name) =>
  pageSteps(page, name).at(-1)

export const lastVerdict = (facts: SupportCase) => lastStep(facts, 'verdict')

export function optionOf({ request, pageRequest }: SupportCase, name: string): unknown {
  const nested = Object(request.scrapeOptions ?? request.options)
  return request[name] ?? nested[name] ?? pageRequest[name]
}

export const markdownLength = (facts: SupportCase) =>
  facts.document?.markdown?.length ?? lastStep(facts, 'write')?.markdownCharacters

const missing =
  /\b(?:empty|blank|nothing|none|never|zero|missing|forgets?|gone|hardly|nearly|incomplete|cut|truncat\w*|only|thin|lacks?|lost|without|not (?:in|on|one|any|a single|even|there|all|everything|found|returned|included|part)|\w+n'?t|no [a-z]+|where (?:is|are))\b/i

export const missesContent = ({ questionText }: SupportCase) => missing.test(questionText)

export const minMarkdownLength = 250

export const isThin = (facts: SupportCase) => (markdownLength(facts) ?? minMarkdownLength) < minMarkdownLength

export const removedLength = (facts: SupportCase, reason: string) =>
  lastStep(facts, 'read')?.leftOut.find((removal) => removal.reason === reason)?.characters ?? 0

export const boilerplateLength = (facts: SupportCase) => removedLength(facts, 'not main content')
