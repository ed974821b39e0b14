import { taskPrice } from '../../accounts/prices.ts'
import type { RunningJob } from '../../jobs/job.ts'
import type { Clock } from '../../platform/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { ToolCall, ToolOffer } from '../../platform/ports/language-model.ts'
import type { DiscoverDeps } from '../discover/discover.ts'
import { findUrls, type SearchForPages } from '../multi-page/page-jobs.ts'
import { type AgentRun, keyOf, pagesInBudget } from './run.ts'
import type { AgentInput, RequestedPage, StepResult } from './stored.ts'
import type { Reach } from './url-scope.ts'

export interface ToolDeps {
  clock: Clock
  discovering: (teamId: string) => DiscoverDeps
  search: SearchForPages
}

/** What a tool came to. */
export interface ToolOutcome extends Pick<StepResult, 'action' | 'observation' | 'ordered' | 'refused'> {
  credits: number
}

interface Acting {
  deps: ToolDeps
  run: AgentRun
  reach: Reach
  job: RunningJob<unknown>
  signal: AbortSignal
}

/** Pages that one step may read. */
const maxConcurrentPages = 10
const searchPrice = 2
const sitePrice = 1
const maxResults = 10
const maxListed = 30
const longestMs = 60_000
const longestTask = 2000

/** Runs the call of the model. The model receives what goes wrong: it may know another way. */
export async function act(acting: Acting, call: ToolCall): Promise<ToolOutcome> {
  try {
    if (call.name === 'search') return await search(acting, String(call.arguments.query ?? ''))
    if (call.name === 'discover') return await listSite(acting, call.arguments)
    if (call.name === 'browse') return browse(acting, call.arguments)
    const urls = Array.isArray(call.arguments.urls) ? call.arguments.urls.map(String) : []
    return { action: 'scrape', credits: 0, ...chooseUrls(acting, urls) }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || acting.signal.aborted) throw thrown
    const action = call.name === 'search' ? 'search' : 'discover'
    return { action, ordered: [], credits: 0, observation: `Failed: ${thrown.message}` }
  }
}

/** What the call would cost at least, before anything is read. */
export function costOf({ name }: Pick<ToolCall, 'name'>, { price }: AgentInput): number {
  if (name === 'search') return searchPrice
  if (name === 'browse') return price + taskPrice
  return name === 'discover' ? sitePrice : 0
}

async function search({ deps, reach, job, signal }: Acting, query: string): Promise<ToolOutcome> {
  const refusal = reach.refusalOfQuery(query)
  if (refusal !== undefined) return { action: 'search', ordered: [], credits: 0, observation: refusal }
  const wanted = { query: query.slice(0, 400), limit: maxResults, ms: longestMs }
  const { results, credits, warnings } = await deps.search(job, wanted, signal)
  const lines = results.map(({ url, title, description }) => `${url} | ${title} | ${description}`)
  const observation = lines.length === 0 ? `Nothing was found. ${warnings.join(' ')}` : lines.join('\n')
  return { action: 'search', ordered: [], credits, observation }
}

async function listSite(
  { deps, run, reach, job, signal }: Acting,
  given: Record<string, unknown>,
): Promise<ToolOutcome> {
  const found = reach.check(String(given.url ?? '').replace(/\/\*$/, ''))
  const refused = { action: 'discover' as const, ordered: [], credits: 0 }
  if ('refused' in found) return { ...refused, observation: `Not run: ${found.refused}.` }
  const order = {
    ...{ teamId: job.teamId, url: found.url.href },
    about: String(given.about ?? '') || run.input.request.prompt,
    ...{ sitemap: 'include' as const, subdomains: true, external: false, ms: longestMs },
  }
  const looking = { ...deps.discovering(job.teamId), clock: deps.clock, giveWay: job.giveWay }
  const { pages } = await findUrls(looking, order, signal)
  const lines = pages
    .slice(0, maxListed)
    .map(({ url, title }) => (title === undefined ? url : `${url} | ${title}`))
  return { action: 'discover', ordered: [], credits: sitePrice, observation: lines.join('\n') }
}

/** The page is read by a job of its own, as others are, after the task was carried out on it. */
function browse({ reach }: Acting, given: Record<string, unknown>): ToolOutcome {
  const nothing = { action: 'browse' as const, ordered: [], credits: 0 }
  const task = String(given.task ?? '')
    .trim()
    .slice(0, longestTask)
  if (task === '') return { ...nothing, observation: 'Not run: the task is missing.' }
  const text = String(given.url ?? '')
  const found = reach.check(text)
  const refusal = 'refused' in found ? `Not run: ${found.refused}.` : reach.refusalOfTask(task, found.url)
  if (refusal !== undefined || 'refused' in found) {
    const reason = refusal ?? ''
    return { ...nothing, observation: reason, refused: [{ url: text.slice(0, 300), reason }] }
  }
  return { ...nothing, ordered: [{ id: newId(), url: found.url.href, task }] }
}

/** Addresses that are read next, and why the others are not. */
export function chooseUrls(
  { run, reach }: { run: AgentRun; reach: Reach },
  urls: readonly string[],
): Pick<StepResult, 'ordered' | 'refused' | 'observation'> {
  const known = new Set(run.pages.flatMap(({ url }) => URL.parse(url) ?? []).map(keyOf))
  const ordered: RequestedPage[] = []
  const refused: NonNullable<StepResult['refused']> = []
  const room = Math.min(maxConcurrentPages, pagesInBudget(run))
  for (const text of urls.slice(0, 5 * maxConcurrentPages)) {
    const found = reach.check(text)
    const reason =
      'refused' in found
        ? found.refused
        : known.has(keyOf(found.url))
          ? 'read before'
          : ordered.length >= room
            ? 'one too many for this step or for the credits'
            : undefined
    if ('refused' in found || reason !== undefined)
      refused.push({ url: text.slice(0, 300), reason: reason ?? '' })
    else {
      known.add(keyOf(found.url))
      ordered.push({ id: newId(), url: found.url.href })
    }
  }
  if (refused.length === 0) return { ordered }
  const observation = refused.map(({ url, reason }) => `${url}: not read: ${reason}.`).join('\n')
  return { ordered, refused, observation }
}

const offer = (name: string, description: string, properties: Record<string, unknown>): ToolOffer => ({
  ...{ name, description },
  schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})

const offers = {
  search: offer('search', 'Search the web. Answers addresses with titles and descriptions.', {
    query: { type: 'string', description: 'Words as for a search engine.' },
  }),
  discover: offer('discover', 'List pages of a site, the most relevant first.', {
    url: { type: 'string', description: 'The site, or a part of it.' },
    about: { type: 'string', description: 'Words that the pages should be about.' },
  }),
  scrape: offer(
    'scrape',
    `Read up to ${maxConcurrentPages} pages. What each of them states of the wanted fields is kept.`,
    { urls: { type: 'array', items: { type: 'string' } } },
  ),
  browse: offer(
    'browse',
    'Do something on a page in a browser, then read what it shows: search, filter, open the next page of a list, choose a tab. For what no address leads to.',
    {
      url: { type: 'string', description: 'The page to begin on.' },
      task: { type: 'string', description: 'What to do there, in words. The page that it ends on is read.' },
    },
  ),
  done: offer(
    'done',
    'End, when the pages that were read state what is wanted, or nothing more can be found.',
    {
      sources: {
        type: 'array',
        items: { type: 'string' },
        description: 'Addresses of the pages whose values shall be used; empty for all of them.',
      },
    },
  ),
  doneWithAnswer: offer(
    'done',
    'End with an answer in words. It must rest on the answers of pages that were read.',
    { answer: { type: 'string' } },
  ),
}

/** What the model may do in a run. */
export function toolsFor({ request }: AgentInput, { hasBrowser }: { hasBrowser: boolean }): ToolOffer[] {
  const { strictConstrainToURLs, urls, mode } = request
  const hasSite = urls.some((url) => url.endsWith('/*'))
  return [
    ...(strictConstrainToURLs ? [] : [offers.search]),
    ...(strictConstrainToURLs && !hasSite ? [] : [offers.discover]),
    offers.scrape,
    ...(hasBrowser ? [offers.browse] : []),
    mode === 'chat' ? offers.doneWithAnswer : offers.done,
  ]
}
