import { z } from 'zod'
import { text, whole } from '../../base/bounded.ts'
import { jobKindNames, jobKinds } from '../job-kinds.ts'
import { showJob } from '../job-text.ts'
import { defineTool, ends, maxCharacters, readsOnly, waitSeconds } from '../tool.ts'
import { showValues } from '../values-text.ts'

const id = text('MAX_ID_LENGTH').describe('The id of the job.')
const kind = z.enum(jobKindNames).default('crawl').describe('What the job is.')

export const jobStatus = defineTool({
  name: 'job_status',
  title: 'Read how a job stands',
  description:
    'Reads the progress of a crawl, batch or extract and the pages or values it has so far. Pages come in order; skip reads on. waitSeconds waits for the end, which is better than asking again and again.',
  hints: readsOnly,
  input: z.strictObject({
    id,
    kind,
    skip: whole('MAX_MCP_OFFSET', 0).default(0).describe('Pages to leave out at the start.'),
    limit: whole('MAX_MCP_PAGES', 1).default(20).describe('Most pages in the answer.'),
    waitSeconds: waitSeconds(0),
    maxCharacters,
  }),
  run(tool) {
    const { waitSeconds: seconds, maxCharacters: most, ...reading } = tool.input
    return showJob(tool, { ...reading, seconds, most })
  },
})

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'End a job',
  description: 'Cancels a crawl, batch or extract. What it has read so far stays readable.',
  hints: ends,
  input: z.strictObject({ id, kind }),
  async run({ input, call }) {
    const answer = await call(jobKinds[input.kind].end, { params: { id: input.id } })
    return showValues(answer, { most: 10_000 })
  },
})
