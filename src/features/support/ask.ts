import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Capability } from '../capabilities.ts'
import type { JobTrace } from '../job-trace.ts'
import type { Deps } from '../needs.ts'
import { askModel } from './ask-model.ts'
import { chooseJob, choosePage, type RecentJob } from './choose.ts'
import { diagnose, minSupportedConfidence } from './diagnose.ts'
import type { CaseReaders } from './read-case.ts'
import type { SupportAnswer, SupportQuestion } from './schema.ts'
import type { SupportCase } from './support-case.ts'
import { type Diagnosis, type Trial, type TrialRunner, tryFixes } from './try-fixes.ts'
import { answerUnknownJob, writeAnswer, writeModelAnswer } from './write-answer.ts'

interface SupportDeps extends TrialRunner, CaseReaders, Pick<Deps, 'clock' | 'models'> {
  capabilities(): readonly Capability[]
  budgetMs: number
}

const reserveMs = 3000

export async function ask(
  deps: SupportDeps,
  team: Team,
  question: SupportQuestion,
  caller: AbortSignal,
): Promise<SupportAnswer> {
  const startedAt = performance.now()
  const requestId = `req_${newId().replaceAll('-', '')}`
  const timeout = AbortSignal.timeout(Math.max(1, deps.budgetMs - Math.min(reserveMs, deps.budgetMs / 4)))
  const signal = AbortSignal.any([timeout, caller])
  const facts = await collectFacts(deps, team, question)
  const diagnoses = await diagnose(facts)
  const trials = await tryFixes(deps, facts, { diagnoses, signal })
  const model = deps.models(team.id)
  const modelAnswer =
    model && needsModel(diagnoses, trials)
      ? await answerByModel(deps, { model, facts, diagnoses, trials }, signal)
      : undefined
  caller.throwIfAborted()
  const isCertain =
    modelAnswer !== undefined || diagnoses.some(({ finding }) => finding.confidence >= minSupportedConfidence)
  // If a job was found, the documentation does not explain its problem.
  const sections = isCertain || facts.job ? [] : await deps.searchDocs(question.question)
  const draft = modelAnswer ?? writeAnswer({ diagnoses, trials, sections, kind: facts.job?.kind })
  const answer: SupportAnswer = {
    requestId,
    ...(question.jobId === undefined || facts.job ? draft : answerUnknownJob(draft, question.jobId)),
    jobId: facts.job?.id ?? null,
    durationMs: Math.round(performance.now() - startedAt),
  }
  const isTimedOut = timeout.aborted && !modelAnswer && !trials.some(({ isSuccess }) => isSuccess)
  if (!isTimedOut) return answer
  throw new AppError('SUPPORT_BUDGET_REACHED', { ...answer, confidence: 'low' })
}

const minConfidence = 0.85

function needsModel(diagnoses: readonly Diagnosis[], trials: readonly Trial[]): boolean {
  if (trials.some(({ isSuccess }) => isSuccess)) return false
  return trials.some(({ isSkipped }) => !isSkipped) || (diagnoses[0]?.finding.confidence ?? 0) < minConfidence
}

async function answerByModel(
  deps: SupportDeps,
  params: Parameters<typeof askModel>[1],
  signal: AbortSignal,
): Promise<ReturnType<typeof writeModelAnswer> | undefined> {
  try {
    const modelResult = await askModel(deps, params, signal)
    return modelResult && writeModelAnswer(modelResult, params.trials)
  } catch (thrown) {
    if (thrown instanceof AppError || signal.aborted) return undefined
    throw thrown
  }
}

async function collectFacts(deps: SupportDeps, team: Team, request: SupportQuestion): Promise<SupportCase> {
  const { question, rationale, jobId, context } = request
  const withContext = (text: string) =>
    [text, rationale, context && JSON.stringify(context)].filter(Boolean).join('\n')
  const questionText = withContext(question)
  const now = deps.clock.now()
  const recent = await deps.recentJobs(team)
  const chosen = jobId ?? chooseJob(questionText, recent, now)?.id
  const job = chosen === undefined ? undefined : await findTrace(deps, team, chosen)
  const { pages, targets } = job?.pages
    ? await deps.childrenOf(team, job, questionText)
    : { pages: [], targets: [] }
  const page = job?.pages ? choosePage(questionText, { job, pages }) : job
  return {
    ...{ teamId: team.id, questionText, job, page, targets, now, children: pages },
    statements: withContext(splitStatements(question)),
    allowsActions: request.allowActions,
    sessions: job ? sessionsOn(job, recent) : [],
    request: job ? await deps.requestOf(job) : {},
    pageRequest: page && page !== job ? await deps.requestOf(page) : {},
    document: page && (await deps.documentOf(page)),
    account: await deps.account(team),
    capabilities: deps.capabilities(),
  }
}

const sessionsOn = ({ id, target }: JobTrace, recent: readonly RecentJob[]) =>
  recent
    .filter((other) => other.kind === 'interact' && other.id !== id)
    .filter((other) => target !== null && other.target === target)
    .map(({ state }) => ({ hasEnded: state !== 'running' && state !== 'queued' }))

async function findTrace(deps: SupportDeps, team: Team, id: string): Promise<JobTrace | undefined> {
  try {
    return await deps.trace(team, id)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined
    throw thrown
  }
}

const guessPhrase =
  /\b(?:maybe|may be (?:a|the|that)|perhaps|probably|possibly|presumably|i'?m? (?:think|guess|suspect|suppose|assume|believe|bet|fear)|might be|could be|must be)\b/i
const yesOrNo =
  /^\W*(?:(?:so|and|but|or|then)\s+)?(?:is|are|am|was|were|do|does|did|has|have|had|must|should|shall|will|would)\b/i
const requestWord = /\b(?:possible|a way|allowed|able)\b/i
const questionWord = /\b(?:why|what|when|where|which|who|how)\b/i
/** Question tags, as in "They blocked us, right?" */
const questionTag = /^\W*(?:right|correct|true|yes|no|or (?:what|not|is it)|is(?:n't| not) it)\W*$/i
const quotesCode = /\b\d{3}\b|[A-Z]+_[A-Z]+/
const maxGuessWords = 4

/** Removes guesses from a question, because guesses about the cause are often wrong. */
export function splitStatements(question: string): string {
  const clauses = question.split(/(?<=[.!?;,]|\s-)\s+|\n+/)
  return clauses
    .filter(
      (clause, index) =>
        !isGuess(clause) && !questionTag.test(clauses[index + 1] ?? '') && !questionTag.test(clause),
    )
    .join(' ')
    .trim()
}

function isGuess(clause: string): boolean {
  if (quotesCode.test(clause)) return false
  if (guessPhrase.test(clause)) return true
  if (!/\?\W{0,5}$/.test(clause) || questionWord.test(clause) || requestWord.test(clause)) return false
  return yesOrNo.test(clause) || (clause.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= maxGuessWords
}
