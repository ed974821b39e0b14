import { taskPrice } from '../../accounts/prices.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { isUrl } from '../../base/url.ts'
import type { RunningJob } from '../../jobs/job.ts'
import type { ToolCall } from '../../ports/language-model.ts'
import type { DiscoverNeeds } from '../discover/discover.ts'
import { findUrls } from '../gather/find-urls.ts'
import type { SearchForPages } from '../gather/search-pages.ts'
import { keyOf, mayRead, pagesInBudget } from './bounds.ts'
import type { AgentRun } from './run.ts'
import type { AgentInput, OrderedPage, StepResult } from './stored.ts'
import { mostPagesAtOnce } from './tools.ts'

export interface ActNeeds {
  clock: Clock
  discovering: (teamId: string) => DiscoverNeeds
  search: SearchForPages
}

/** What a tool came to. */
export interface Acted extends Pick<StepResult, 'action' | 'observation' | 'ordered'> {
  credits: number
}

interface Acting {
  needs: ActNeeds
  run: AgentRun
  job: RunningJob<unknown>
  signal: AbortSignal
}

const searchPrice = 2
const sitePrice = 1
const mostResults = 10
const mostListed = 30
const longestMs = 60_000
const longestTask = 2000

/** Runs the call of the model. The model receives what goes wrong: it may know another way. */
export async function act(acting: Acting, call: ToolCall): Promise<Acted> {
  try {
    if (call.name === 'search') return await search(acting, String(call.arguments.query ?? ''))
    if (call.name === 'discover') return await listSite(acting, call.arguments)
    if (call.name === 'browse') return browse(acting, call.arguments)
    return scrape(acting, call.arguments.urls)
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

async function search({ needs, job, signal }: Acting, query: string): Promise<Acted> {
  const wanted = { query: query.slice(0, 400), limit: mostResults, ms: longestMs }
  const { results, credits, warnings } = await needs.search(job, wanted, signal)
  const lines = results.map(({ url, title, description }) => `${url} | ${title} | ${description}`)
  const observation = lines.length === 0 ? `Nothing was found. ${warnings.join(' ')}` : lines.join('\n')
  return { action: 'search', ordered: [], credits, observation }
}

async function listSite({ needs, run, job, signal }: Acting, given: Record<string, unknown>): Promise<Acted> {
  const url = String(given.url ?? '').replace(/\/\*$/, '')
  const parsed = isUrl(url) ? URL.parse(url) : null
  const refused = { action: 'discover' as const, ordered: [], credits: 0 }
  if (!parsed) return { ...refused, observation: 'Not run: the address is not valid.' }
  if (!mayRead(run.input, parsed))
    return { ...refused, observation: 'Not run: only the given addresses may be read.' }
  const order = {
    ...{ teamId: job.teamId, url, about: String(given.about ?? '') || run.input.request.prompt },
    ...{ sitemap: 'include' as const, subdomains: true, external: false, ms: longestMs },
  }
  const looking = { ...needs.discovering(job.teamId), clock: needs.clock, giveWay: job.giveWay }
  const { pages } = await findUrls(looking, order, signal)
  const lines = pages
    .slice(0, mostListed)
    .map(({ url: found, title }) => (title === undefined ? found : `${found} | ${title}`))
  return { action: 'discover', ordered: [], credits: sitePrice, observation: lines.join('\n') }
}

function scrape({ run }: Acting, urls: unknown): Acted {
  const { ordered, refused } = chooseUrls(run, Array.isArray(urls) ? urls.map(String) : [])
  const observation = refused.length === 0 ? {} : { observation: refused.join('\n') }
  return { action: 'scrape', ordered, credits: 0, ...observation }
}

/** The page is read by a job of its own, as others are, after the task was carried out on it. */
function browse({ run }: Acting, given: Record<string, unknown>): Acted {
  const refused = { action: 'browse' as const, ordered: [], credits: 0 }
  const task = String(given.task ?? '').trim()
  if (task === '') return { ...refused, observation: 'Not run: the task is missing.' }
  const text = String(given.url ?? '')
  const url = isUrl(text) ? URL.parse(text) : null
  if (!url) return { ...refused, observation: 'Not run: the address is not valid.' }
  if (!mayRead(run.input, url))
    return { ...refused, observation: 'Not run: only the given addresses may be read.' }
  return { ...refused, ordered: [{ id: newId(), url: url.href, task: task.slice(0, longestTask) }] }
}

/** Addresses that are read next, and why the others are not. */
export function chooseUrls(
  run: AgentRun,
  urls: readonly string[],
): { ordered: OrderedPage[]; refused: string[] } {
  const known = new Set(run.pages.flatMap(({ url }) => URL.parse(url) ?? []).map(keyOf))
  const ordered: OrderedPage[] = []
  const refused: string[] = []
  const room = Math.min(mostPagesAtOnce, pagesInBudget(run))
  for (const text of urls.slice(0, 5 * mostPagesAtOnce)) {
    const url = isUrl(text) ? URL.parse(text) : null
    const reason = !url
      ? 'not a valid address'
      : !mayRead(run.input, url)
        ? 'only the given addresses may be read'
        : known.has(keyOf(url))
          ? 'read before'
          : ordered.length >= room
            ? 'one too many for this step or for the credits'
            : undefined
    if (reason !== undefined || !url) refused.push(`${text.slice(0, 300)}: not read: ${reason}.`)
    else {
      known.add(keyOf(url))
      ordered.push({ id: newId(), url: url.href })
    }
  }
  return { ordered, refused }
}
