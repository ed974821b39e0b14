import type { Team } from '../../accounts/team.ts'
import type { ModelOfTeam } from '../../accounts/team-models.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { LanguageModel } from '../../platform/ports/language-model.ts'
import type { Capability } from '../capabilities.ts'
import type { JobTrace } from '../job-trace.ts'
import { askModel, type Stuck } from './ask-model.ts'
import { chooseJob, choosePage, type RecentJob } from './choose.ts'
import { diagnose } from './diagnose.ts'
import type { SupportAnswer, SupportQuestion } from './schema.ts'
import type { AccountState, AnsweredDocument, FoundSection, SupportCase } from './support-case.ts'
import { type Diagnosis, type Trial, type Trials, tryFix, tryFixes } from './try-fixes.ts'
import { answerUnknownJob, writeAnswer, writeModelAnswer } from './write-answer.ts'

/** What the agent may look at and do, each on behalf of the calling team alone. */
export interface SupportDeps extends Trials {
  clock: Clock
  /** Throws JOB_NOT_FOUND for what the team does not have. */
  trace(team: Team, id: string): Promise<JobTrace>
  recentJobs(team: Team): Promise<RecentJob[]>
  /** What a job was asked for, as far as it is on record. */
  requestOf(team: Team, job: JobTrace): Promise<Record<string, unknown>>
  documentOf(team: Team, job: JobTrace): Promise<AnsweredDocument | undefined>
  /** Pages of a crawl or a batch: some that failed and some that did not, and addresses of more. */
  childrenOf(team: Team, job: JobTrace, words: string): Promise<{ pages: JobTrace[]; targets: string[] }>
  account(team: Team): Promise<AccountState>
  capabilities(): readonly Capability[]
  searchDocs(question: string): Promise<FoundSection[]>
  models: ModelOfTeam
  /** Time of one question. */
  budgetMs: number
}

/** Kept to put the answer together. */
const reserveMs = 3000

/** A question → a diagnosis, and a remedy that was tried where one can be. */
export async function ask(
  deps: SupportDeps,
  team: Team,
  question: SupportQuestion,
  caller: AbortSignal,
): Promise<SupportAnswer> {
  const began = performance.now()
  const requestId = `req_${newId().replaceAll('-', '')}`
  const time = AbortSignal.timeout(Math.max(1, deps.budgetMs - Math.min(reserveMs, deps.budgetMs / 4)))
  const signal = AbortSignal.any([time, caller])
  const facts = await gather(deps, team, question)
  const diagnoses = diagnose(facts)
  const trials = await tryFixes(deps, facts, { diagnoses, signal })
  const model = deps.models(team.id)
  const byModel =
    model && isStuck(diagnoses, trials)
      ? await withModel(deps, { model, facts, diagnoses, trials, signal })
      : undefined
  caller.throwIfAborted()
  const isCertain = byModel !== undefined || diagnoses.some(({ finding }) => finding.sureness >= 0.5)
  // Of a job that looks fine, the documentation says no more than of any other.
  const sections = isCertain || facts.job ? [] : await deps.searchDocs(question.question)
  const written = byModel ?? writeAnswer({ diagnoses, trials, sections, kind: facts.job?.kind })
  const answer: SupportAnswer = {
    requestId,
    ...(question.jobId === undefined || facts.job ? written : answerUnknownJob(written, question.jobId)),
    jobId: facts.job?.id ?? null,
    durationMs: Math.round(performance.now() - began),
  }
  const isCut = time.aborted && !byModel && !trials.some(({ isSuccess }) => isSuccess)
  if (!isCut) return answer
  throw new AppError('SUPPORT_BUDGET_REACHED', { ...answer, confidence: 'low' })
}

/** Below this, what rules found is worth a second opinion. */
const minSureness = 0.85

function isStuck(diagnoses: readonly Diagnosis[], trials: readonly Trial[]): boolean {
  if (trials.some(({ isSuccess }) => isSuccess)) return false
  return trials.some(({ isSkipped }) => !isSkipped) || (diagnoses[0]?.finding.sureness ?? 0) < minSureness
}

/** A model that fails leaves what rules found. */
async function withModel(
  deps: SupportDeps,
  given: Stuck & { model: LanguageModel; signal: AbortSignal },
): Promise<ReturnType<typeof writeModelAnswer> | undefined> {
  const { model, signal, ...known } = given
  const tools = {
    searchDocs: deps.searchDocs,
    tryFix: (fix: Record<string, unknown>) => tryFix(deps, known.facts, { fix, source: 'model', signal }),
  }
  try {
    const found = await askModel(model, { ...known, tools }, signal)
    return found && writeModelAnswer(found, known.trials)
  } catch (thrown) {
    if (thrown instanceof AppError || signal.aborted) return undefined
    throw thrown
  }
}

async function gather(deps: SupportDeps, team: Team, asked: SupportQuestion): Promise<SupportCase> {
  const { question, rationale, jobId, context } = asked
  const words = [question, rationale, context && JSON.stringify(context)].filter(Boolean).join('\n')
  const said = [splitStatements(question), rationale, context && JSON.stringify(context)]
    .filter(Boolean)
    .join('\n')
  const now = deps.clock.now()
  const recent = await deps.recentJobs(team)
  const chosen = jobId ?? chooseJob(words, recent, now)?.id
  const job = chosen === undefined ? undefined : await traceOrNone(deps, team, chosen)
  const { pages, targets } = job?.pages ? await deps.childrenOf(team, job, words) : noPages
  const page = job?.pages ? choosePage(words, { job, pages }) : job
  return {
    ...{ teamId: team.id, words, said, job, page, targets, now, children: pages },
    allowsActions: asked.allowActions,
    sessions: job ? sessionsOn(job, recent) : [],
    request: job ? await deps.requestOf(team, job) : {},
    pageRequest: page && page !== job ? await deps.requestOf(team, page) : {},
    document: page && (await deps.documentOf(team, page)),
    account: await deps.account(team),
    capabilities: deps.capabilities(),
  }
}

const noPages = { pages: [], targets: [] }

function sessionsOn({ id, target }: JobTrace, recent: readonly RecentJob[]): SupportCase['sessions'] {
  return recent
    .filter((one) => one.kind === 'interact' && one.id !== id && one.target === target && target !== null)
    .map(({ state }) => ({ hasEnded: state !== 'running' && state !== 'queued' }))
}

/** A question about a job that is not there is answered without it. */
async function traceOrNone(deps: SupportDeps, team: Team, id: string): Promise<JobTrace | undefined> {
  try {
    return await deps.trace(team, id)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined
    throw thrown
  }
}

/** How people say that they do not know. */
const doubt =
  /\b(?:maybe|may be (?:a|the|that)|perhaps|probably|possibly|presumably|i'?m? (?:think|guess|suspect|suppose|assume|believe|bet|fear)|might be|could be|must be)\b/i
/** A question that is answered with yes or no. */
const yesOrNo =
  /^\W*(?:(?:so|and|but|or|then)\s+)?(?:is|are|am|was|were|do|does|did|has|have|had|must|should|shall|will|would)\b/i
/** Such a question that asks for something. */
const asksFor = /\b(?:possible|a way|allowed|able)\b/i
const questionWord = /\b(?:why|what|when|where|which|who|how)\b/i
/** "They blocked us, right?" */
const tag = /^\W*(?:right|correct|true|yes|no|or (?:what|not|is it)|is(?:n't| not) it)\W*$/i
const quotesCode = /\b\d{3}\b|[A-Z]+_[A-Z]+/
const fewWords = 4

/** What a question states, without what its asker only guesses: people are often wrong about the cause. */
export function splitStatements(question: string): string {
  const clauses = question.split(/(?<=[.!?;,]|\s-)\s+|\n+/)
  return clauses
    .filter((clause, at) => !isGuess(clause) && !tag.test(clauses[at + 1] ?? '') && !tag.test(clause))
    .join(' ')
    .trim()
}

function isGuess(clause: string): boolean {
  if (quotesCode.test(clause)) return false
  if (doubt.test(clause)) return true
  if (!/\?\W{0,5}$/.test(clause) || questionWord.test(clause) || asksFor.test(clause)) return false
  return yesOrNo.test(clause) || (clause.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) <= fewWords
}
