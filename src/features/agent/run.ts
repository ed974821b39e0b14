import { ungroundedWarning } from '../../extraction/formats/passages/grounded.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { creditsOfChildren, listHelperJobs, listLeaves } from '../../store/jobs/child-jobs.ts'
import { findJob, type JobRow } from '../../store/jobs/jobs.ts'
import { urlKey } from '../discover/url-key.ts'
import {
  type GatherDeps,
  type GatherWork,
  gatherWork,
  helperResult,
  jobText,
  joinPages,
  type PageReadDeps,
  type ReadPage,
  readPages,
  warningsOfPages,
} from '../multi-page/read-pages.ts'
import {
  type AgentInput,
  agentInput,
  type EndInput,
  type EndResult,
  endKind,
  type RequestedPage,
  type StepResult,
  stepKind,
} from './stored.ts'

/** All that a run has done so far, read from its jobs: a step that is started again finds what others have left. */
export interface AgentRun {
  row: JobRow
  input: AgentInput
  steps: StepResult[]
  pages: ReadPage[]
  credits: number
  /** Pages that were ordered and never became jobs: the team could not pay for them. */
  unpaid: RequestedPage[]
}

export async function readRun(
  deps: PageReadDeps & { work: Pick<GatherWork, 'storedPage'> },
  parentId: string,
  giveWay: () => Promise<void>,
): Promise<AgentRun> {
  const { query } = deps.store
  const row = await findJob(query, parentId)
  if (!row) throw new Error('The agent of a step is not there')
  const input = agentInput.read(row.input)
  const steps = await stepsOf(deps, parentId)
  const leaves = new Set((await listLeaves(query, parentId)).map(({ id }) => id))
  return {
    ...{ row, input, steps },
    pages: (await readPages(deps, parentId, giveWay)).map((page) => withinReach(input, page)),
    credits: await creditsOfChildren(query, parentId),
    unpaid: steps.flatMap(({ ordered }) => ordered).filter(({ id }) => !leaves.has(id)),
  }
}

/** A browser may be led elsewhere by links; what it found there is not used where the caller forbids it. */
function withinReach(input: AgentInput, page: ReadPage): ReadPage {
  const url = URL.parse(page.url)
  if (page.done === undefined || (url && canRead(input, url))) return page
  const { id, done, warnings } = page
  const error = 'The browser was led to an address that is not among the given ones.'
  return { id, url: page.url, done, warnings, error }
}

/** The steps that have ended, in their order. */
async function stepsOf(deps: PageReadDeps, parentId: string): Promise<StepResult[]> {
  const steps: StepResult[] = []
  for (const helper of await listHelperJobs(deps.store.query, parentId)) {
    if (helper.kind !== stepKind || helper.state !== 'completed') continue
    const step = await jobText<StepResult>(deps, helper)
    if (step) steps.push(step)
  }
  return steps
}

/** What the run came to, once it has ended. */
export const endOf = (deps: PageReadDeps, parentId: string) =>
  helperResult<EndResult>(deps, parentId, endKind)

/** How often the model is asked for the next step, by effort. */
const maxSteps = { low: 5, medium: 10, high: 20 }

export function maxStepsFor({ request }: AgentInput): number {
  return maxSteps[request.effort ?? 'medium']
}

/** How many more pages the budget of the caller lets be read. */
export function pagesInBudget({ input, credits }: { input: AgentInput; credits: number }): number {
  return Math.max(0, Math.floor((input.request.maxCredits - credits) / input.price))
}

/** Whether the caller lets this address be read. */
export function canRead({ request }: AgentInput, url: URL): boolean {
  if (!request.strictConstrainToURLs) return true
  return request.urls.some((given) => {
    const isSite = given.endsWith('/*')
    const allowed = URL.parse(isSite ? given.slice(0, -2) : given)
    if (!allowed) return false
    const isBelow = isSite && url.href.startsWith(given.slice(0, -1))
    return isBelow || keyOf(allowed) === keyOf(url)
  })
}

export const keyOf = (url: URL) => urlKey(url, { similar: false, withoutQuery: false })

/** What the pages of a run come to: values that they state, or an answer that rests on theirs. */
export async function endRun(
  deps: PageReadDeps & GatherDeps,
  job: RunningJob<EndInput>,
  signal: AbortSignal,
): Promise<Outcome<EndResult>> {
  const work = gatherWork(deps, job, signal)
  const run = await readRun({ ...deps, work }, job.parentId ?? '', job.giveWay)
  const { stopReason, warnings } = job.input
  const stopped = stopReason === undefined ? {} : { stopReason }
  if (run.input.request.mode === 'chat') {
    const told = chat(run, job.input)
    return { credits: 0, result: { ...told, warnings: [...warnings, ...told.warnings], ...stopped } }
  }
  const { pages, left } = chosenPages(run, job.input)
  const joined = await joinPages(work, run.steps[0]?.schema ?? {}, pages)
  const noPage = run.pages.length === 0 ? ['No page was read.'] : []
  return {
    credits: 0,
    result: { ...joined, warnings: [...warnings, ...noPage, ...left, ...joined.warnings], ...stopped },
  }
}

/** The pages whose values are used, and what is said of the others. */
function chosenPages({ pages }: AgentRun, { sources }: EndInput): { pages: ReadPage[]; left: string[] } {
  if (sources === undefined) return { pages, left: [] }
  const wanted = new Set(sources.map(keyOfText))
  const chosen = pages.filter(({ url, error }) => wanted.has(keyOfText(url)) || error !== undefined)
  // Names that no page has are no choice.
  if (!chosen.some(({ values }) => values !== undefined)) return { pages, left: [] }
  const left = pages.filter((page) => page.values !== undefined && !chosen.includes(page))
  if (left.length === 0) return { pages: chosen, left: [] }
  const named = left.map(({ url }) => url).slice(0, 20)
  return { pages: chosen, left: [`Read and not used: ${named.join(' ')}.`] }
}

/** A model may write an address in another way than it received it. */
function keyOfText(text: string): string {
  const url = URL.parse(text)
  return url ? keyOf(url) : text
}

/** The answer of the model stands only if the pages have its names and numbers; else the answers of the pages do. */
function chat({ pages, input }: AgentRun, { answer }: EndInput): EndResult {
  const answering = pages.filter((page) => page.answer !== undefined)
  const texts = answering.map((page) => page.answer ?? '')
  const sources = answering.length === 0 ? {} : { message: answering.map(({ url }) => url) }
  const warnings = warningsOfPages(pages)
  const quoted = answering.map(({ url, answer: text }) => `${text}\n\n(${url})`).join('\n\n')
  const rest = { sources, conflicts: [] }
  if (texts.length === 0)
    return { ...rest, message: '', warnings: [...warnings, 'No page that was read answers this.'] }
  const invented = answer === undefined ? [] : ungroundedWarning(answer, [input.request.prompt, ...texts])
  if (answer !== undefined && invented.length === 0) return { ...rest, message: answer, warnings }
  if (answer === undefined) return { ...rest, message: quoted, warnings }
  const dropped = `The language model stated what no page that was read does (${invented.slice(0, 10).join(', ')}); message is what the pages say.`
  return { ...rest, message: quoted, warnings: [...warnings, dropped] }
}
