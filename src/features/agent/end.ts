import { ungrounded } from '../../formats/passages/grounded.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { type GatherNeeds, gatherWork } from '../gather/gather-work.ts'
import { joinPages, warningsOfPages } from '../gather/join-pages.ts'
import type { ReadingNeeds, ReadPage } from '../gather/read-pages.ts'
import { keyOf } from './bounds.ts'
import { type AgentRun, readRun } from './run.ts'
import type { EndInput, EndResult } from './stored.ts'

/** What the pages of a run come to: values that they state, or an answer that rests on theirs. */
export async function endRun(
  needs: ReadingNeeds & GatherNeeds,
  job: RunningJob<EndInput>,
  signal: AbortSignal,
): Promise<Outcome<EndResult>> {
  const work = gatherWork(needs, job, signal)
  const run = await readRun({ ...needs, work }, job.parentId ?? '', job.giveWay)
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
  const invented = answer === undefined ? [] : ungrounded(answer, [input.request.prompt, ...texts])
  if (answer !== undefined && invented.length === 0) return { ...rest, message: answer, warnings }
  if (answer === undefined) return { ...rest, message: quoted, warnings }
  const dropped = `The language model stated what no page that was read does (${invented.slice(0, 10).join(', ')}); message is what the pages say.`
  return { ...rest, message: quoted, warnings: [...warnings, dropped] }
}
