import { creditsOfChildren, listHelperJobs, listLeaves } from '../../store/child-jobs.ts'
import { findJob, type JobRow } from '../../store/jobs.ts'
import type { GatherWork } from '../gather/gather-work.ts'
import { jobText } from '../gather/job-text.ts'
import { type ReadingNeeds, type ReadPage, readPages } from '../gather/read-pages.ts'
import { mayRead } from './bounds.ts'
import {
  type AgentInput,
  agentInput,
  type EndResult,
  endKind,
  type OrderedPage,
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
  unpaid: OrderedPage[]
}

export async function readRun(
  needs: ReadingNeeds & { work: Pick<GatherWork, 'storedPage'> },
  parentId: string,
  giveWay: () => Promise<void>,
): Promise<AgentRun> {
  const { query } = needs.store
  const row = await findJob(query, parentId)
  if (!row) throw new Error('The agent of a step is not there')
  const input = agentInput.read(row.input)
  const steps = await stepsOf(needs, parentId)
  const leaves = new Set((await listLeaves(query, parentId)).map(({ id }) => id))
  return {
    ...{ row, input, steps },
    pages: (await readPages(needs, parentId, giveWay)).map((page) => withinReach(input, page)),
    credits: await creditsOfChildren(query, parentId),
    unpaid: steps.flatMap(({ ordered }) => ordered).filter(({ id }) => !leaves.has(id)),
  }
}

/** A browser may be led elsewhere by links; what it found there is not used where the caller forbids it. */
function withinReach(input: AgentInput, page: ReadPage): ReadPage {
  const url = URL.parse(page.url)
  if (page.done === undefined || (url && mayRead(input, url))) return page
  const { id, done, warnings } = page
  const error = 'The browser was led to an address that is not among the given ones.'
  return { id, url: page.url, done, warnings, error }
}

/** The steps that have ended, in their order. */
async function stepsOf(needs: ReadingNeeds, parentId: string): Promise<StepResult[]> {
  const steps: StepResult[] = []
  for (const helper of await listHelperJobs(needs.store.query, parentId)) {
    if (helper.kind !== stepKind || helper.state !== 'completed') continue
    // Written by that step.
    const step = (await jobText(needs, helper)) as StepResult | undefined
    if (step) steps.push(step)
  }
  return steps
}

/** What the run came to, once it has ended. */
export async function endOf(needs: ReadingNeeds, parentId: string): Promise<EndResult | undefined> {
  const helpers = await listHelperJobs(needs.store.query, parentId)
  const row = helpers.find(({ kind, state }) => kind === endKind && state === 'completed')
  // Written by the job that ended it.
  return row && ((await jobText(needs, row)) as EndResult | undefined)
}
