import { findUngroundedClaims } from '../../extraction/formats/passages/grounded.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { listHelperJobs, listLeaves, sumCreditsOfChildren } from '../../store/jobs/child-jobs.ts'
import { findJob, type JobRow } from '../../store/jobs/jobs.ts'
import { urlKey } from '../discover/url-key.ts'
import {
  createSchemaWork,
  type GatherDeps,
  type GatherWork,
  helperResult,
  jobText,
  mergePages,
  type PageReadDeps,
  type ReadPage,
  readPages,
  warningsOfPages,
} from '../multi-page/read-pages.ts'
import { present } from '../present.ts'
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

/** State of a run, read from its jobs, so that a restarted step has the results of the earlier steps. */
export interface AgentRun {
  row: JobRow
  input: AgentInput
  steps: StepResult[]
  pages: ReadPage[]
  credits: number
  /** Pages that were requested but never became jobs, because the team's credits were used up. */
  unpaid: RequestedPage[]
}

export async function readRun(
  deps: PageReadDeps & { work: Pick<GatherWork, 'storedPage'> },
  parentId: string,
  yieldToForeground: () => Promise<void>,
): Promise<AgentRun> {
  const { query } = deps.store
  const row = await findJob(query, parentId)
  if (!row) throw new Error('The agent of a step is not there')
  const input = agentInput.read(row.input)
  const steps = await readSteps(deps, parentId)
  const leaves = new Set((await listLeaves(query, parentId)).map(({ id }) => id))
  return {
    ...{ row, input, steps },
    pages: (await readPages(deps, parentId, yieldToForeground)).map((page) =>
      rejectForbiddenPage(input, page),
    ),
    credits: await sumCreditsOfChildren(query, parentId),
    unpaid: steps.flatMap(({ ordered }) => ordered).filter(({ id }) => !leaves.has(id)),
  }
}

/** Replaces a page by an error if the browser navigated to a URL that the caller does not allow. */
function rejectForbiddenPage(input: AgentInput, page: ReadPage): ReadPage {
  const url = URL.parse(page.url)
  if (page.done === undefined || (url && canRead(input, url))) return page
  const { id, done, warnings } = page
  const error = 'The browser was led to an address that is not among the given ones.'
  return { id, url: page.url, done, warnings, error }
}

async function readSteps(deps: PageReadDeps, parentId: string): Promise<StepResult[]> {
  const steps: StepResult[] = []
  for (const helper of await listHelperJobs(deps.store.query, parentId)) {
    if (helper.kind !== stepKind || helper.state !== 'completed') continue
    const step = await jobText<StepResult>(deps, helper)
    if (step) steps.push(step)
  }
  return steps
}

export const endOf = (deps: PageReadDeps, parentId: string) =>
  helperResult<EndResult>(deps, parentId, endKind)

export const pagesInBudget = ({ input, credits }: Pick<AgentRun, 'input' | 'credits'>) =>
  Math.max(0, Math.floor((input.request.maxCredits - credits) / input.price))

export function canRead({ request }: AgentInput, url: URL): boolean {
  if (!request.strictConstrainToURLs) return true
  return request.urls.some((allowedText) => {
    const isSite = allowedText.endsWith('/*')
    const allowed = URL.parse(isSite ? allowedText.slice(0, -2) : allowedText)
    if (!allowed) return false
    const isBelow = isSite && url.href.startsWith(allowedText.slice(0, -1))
    return isBelow || keyOf(allowed) === keyOf(url)
  })
}

export const keyOf = (url: URL) => urlKey(url, { similar: false, withoutQuery: false })

export async function endRun(
  deps: PageReadDeps & GatherDeps,
  job: RunningJob<EndInput>,
  signal: AbortSignal,
): Promise<Outcome<EndResult>> {
  const work = createSchemaWork(deps, job, signal)
  const run = await readRun({ ...deps, work }, job.parentId ?? '', job.yieldToForeground)
  const result = await buildResult(work, run, job.input)
  const warnings = [...job.input.warnings, ...result.warnings]
  return { credits: 0, result: { ...result, warnings, ...present({ stopReason: job.input.stopReason }) } }
}

async function buildResult(work: GatherWork, run: AgentRun, end: EndInput): Promise<EndResult> {
  if (run.input.request.mode === 'chat') return buildChatResult(run, end)
  const { pages, warnings } = choosePages(run, end)
  const joined = await mergePages(work, run.steps[0]?.schema ?? {}, pages)
  const noPage = run.pages.length === 0 ? ['No page was read.'] : []
  return { ...joined, warnings: [...noPage, ...warnings, ...joined.warnings] }
}

function choosePages({ pages }: AgentRun, { sources }: EndInput): { pages: ReadPage[]; warnings: string[] } {
  if (sources === undefined) return { pages, warnings: [] }
  const requestedKeys = new Set(sources.map(toUrlKey))
  const chosen = pages.filter(({ url, error }) => requestedKeys.has(toUrlKey(url)) || error !== undefined)
  // Sources that match no page with values are ignored.
  if (!chosen.some(({ values }) => values !== undefined)) return { pages, warnings: [] }
  const unusedPages = pages.filter((page) => page.values !== undefined && !chosen.includes(page))
  if (unusedPages.length === 0) return { pages: chosen, warnings: [] }
  const unusedUrls = unusedPages.map(({ url }) => url).slice(0, 20)
  return { pages: chosen, warnings: [`Read and not used: ${unusedUrls.join(' ')}.`] }
}

/** Returns the comparison key of a URL. A model may write a URL differently than it received it. */
function toUrlKey(text: string): string {
  const url = URL.parse(text)
  return url ? keyOf(url) : text
}

/** Returns the answer of the model only if all of its names and numbers occur in the pages. */
function buildChatResult({ pages, input }: AgentRun, { answer }: EndInput): EndResult {
  const answers = pages.flatMap(({ url, answer: text }) => (text === undefined ? [] : { url, text }))
  const warnings = warningsOfPages(pages)
  if (answers.length === 0) {
    const noAnswer = 'No page that was read answers this.'
    return { sources: {}, conflicts: [], message: '', warnings: [...warnings, noAnswer] }
  }
  const commonFields = { sources: { message: answers.map(({ url }) => url) }, conflicts: [], warnings }
  const quoted = answers.map(({ url, text }) => `${text}\n\n(${url})`).join('\n\n')
  if (answer === undefined) return { ...commonFields, message: quoted }
  const texts = answers.map(({ text }) => text)
  const ungrounded = findUngroundedClaims(answer, [input.request.prompt, ...texts])
  if (ungrounded.length === 0) return { ...commonFields, message: answer }
  const droppedWarning = `The language model stated what no page that was read does (${ungrounded.slice(0, 10).join(', ')}); message is what the pages say.`
  return { ...commonFields, message: quoted, warnings: [...warnings, droppedWarning] }
}
