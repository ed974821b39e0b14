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
import type { UrlScope } from './url-scope.ts'

export interface ToolDeps {
  clock: Clock
  discoverDepsFor: (teamId: string) => DiscoverDeps
  search: SearchForPages
}

interface ToolOutcome extends Pick<StepResult, 'action' | 'observation' | 'ordered' | 'refused'> {
  credits: number
}

interface ToolContext {
  deps: ToolDeps
  run: AgentRun
  urlScope: UrlScope
  job: RunningJob<unknown>
  signal: AbortSignal
}

const maxConcurrentPages = 10
const searchPrice = 2
const sitePrice = 1
const maxResults = 10
const maxListed = 30
const maxDurationMs = 60_000
const maxTaskChars = 2000

/** Runs the tool call of the model. Errors are returned to the model, because it may try another approach. */
export async function runTool(context: ToolContext, call: ToolCall): Promise<ToolOutcome> {
  try {
    if (call.name === 'search') return await search(context, String(call.arguments.query ?? ''))
    if (call.name === 'discover') return await listSite(context, call.arguments)
    if (call.name === 'browse') return browse(context, call.arguments)
    const urls = Array.isArray(call.arguments.urls) ? call.arguments.urls.map(String) : []
    return { action: 'scrape', credits: 0, ...chooseUrls(context, urls) }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || context.signal.aborted) throw thrown
    return createReport(call.name === 'search' ? 'search' : 'discover', `Failed: ${thrown.message}`)
  }
}

const createReport = (action: ToolOutcome['action'], observation: string, credits = 0): ToolOutcome => ({
  ...{ action, ordered: [], credits, observation },
})

export function costOf({ name }: Pick<ToolCall, 'name'>, { price }: AgentInput): number {
  if (name === 'search') return searchPrice
  if (name === 'browse') return price + taskPrice
  return name === 'discover' ? sitePrice : 0
}

async function search({ deps, urlScope, job, signal }: ToolContext, query: string): Promise<ToolOutcome> {
  if (urlScope.hasSecret(query))
    return createReport('search', 'Not run: the words have a secret of the task. Search without it.')
  const request = { query: query.slice(0, 400), limit: maxResults, ms: maxDurationMs }
  const { results, credits, warnings } = await deps.search(job, request, signal)
  const lines = results.map(({ url, title, description }) => `${url} | ${title} | ${description}`)
  const observation = lines.length === 0 ? `Nothing was found. ${warnings.join(' ')}` : lines.join('\n')
  return createReport('search', observation, credits)
}

async function listSite(
  { deps, run, urlScope, job, signal }: ToolContext,
  args: Record<string, unknown>,
): Promise<ToolOutcome> {
  const target = urlScope.check(String(args.url ?? '').replace(/\/\*$/, ''))
  if ('refused' in target) return createReport('discover', `Not run: ${target.refused}.`)
  const findOptions = {
    ...{ teamId: job.teamId, url: target.url.href },
    about: String(args.about ?? '') || run.input.request.prompt,
    ...{ sitemap: 'include' as const, subdomains: true, external: false, ms: maxDurationMs },
  }
  const { clock, discoverDepsFor } = deps
  const findDeps = { ...discoverDepsFor(job.teamId), clock, yieldToForeground: job.yieldToForeground }
  const { pages } = await findUrls(findDeps, findOptions, signal)
  const lines = pages
    .slice(0, maxListed)
    .map(({ url, title }) => (title === undefined ? url : `${url} | ${title}`))
  return createReport('discover', lines.join('\n'), sitePrice)
}

/** Requests a page on which a task is carried out. A separate job carries out the task and reads the page. */
function browse({ urlScope }: ToolContext, args: Record<string, unknown>): ToolOutcome {
  const task = String(args.task ?? '')
    .trim()
    .slice(0, maxTaskChars)
  if (task === '') return createReport('browse', 'Not run: the task is missing.')
  const text = String(args.url ?? '')
  const refuse = (reason: string) => ({
    ...createReport('browse', reason),
    refused: [{ url: text.slice(0, 300), reason }],
  })
  const target = urlScope.check(text)
  if ('refused' in target) return refuse(`Not run: ${target.refused}.`)
  const refusal = urlScope.refusalOfTask(task, target.url)
  if (refusal !== undefined) return refuse(refusal)
  return { action: 'browse', credits: 0, ordered: [{ id: newId(), url: target.url.href, task }] }
}

export function chooseUrls(
  { run, urlScope }: { run: AgentRun; urlScope: UrlScope },
  urls: readonly string[],
): Pick<StepResult, 'ordered' | 'refused' | 'observation'> {
  const knownKeys = new Set(run.pages.flatMap(({ url }) => URL.parse(url) ?? []).map(keyOf))
  const ordered: RequestedPage[] = []
  const refused: NonNullable<StepResult['refused']> = []
  const remainingPages = Math.min(maxConcurrentPages, pagesInBudget(run))
  for (const text of urls.slice(0, 5 * maxConcurrentPages)) {
    const refuse = (reason: string) => refused.push({ url: text.slice(0, 300), reason })
    const target = urlScope.check(text)
    if ('refused' in target) refuse(target.refused)
    else if (knownKeys.has(keyOf(target.url))) refuse('read before')
    else if (ordered.length >= remainingPages) refuse('one too many for this step or for the credits')
    else {
      knownKeys.add(keyOf(target.url))
      ordered.push({ id: newId(), url: target.url.href })
    }
  }
  if (refused.length === 0) return { ordered }
  const observation = refused.map(({ url, reason }) => `${url}: not read: ${reason}.`).join('\n')
  return { ordered, refused, observation }
}

const createTool = (name: string, description: string, properties: object): ToolOffer => ({
  ...{ name, description },
  schema: { type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
})

const tools = {
  search: createTool('search', 'Search the web. Answers addresses with titles and descriptions.', {
    query: { type: 'string', description: 'Words as for a search engine.' },
  }),
  discover: createTool('discover', 'List pages of a site, the most relevant first.', {
    url: { type: 'string', description: 'URL of the site, or of a part of it.' },
    about: { type: 'string', description: 'Words that the pages should be about.' },
  }),
  scrape: createTool(
    'scrape',
    `Read up to ${maxConcurrentPages} pages. What each of them states of the wanted fields is kept.`,
    { urls: { type: 'array', items: { type: 'string' } } },
  ),
  browse: createTool(
    'browse',
    'Do something on a page in a browser, then read what it shows: search, filter, open the next page of a list, choose a tab. For what no address leads to.',
    {
      url: { type: 'string', description: 'The page to begin on.' },
      task: { type: 'string', description: 'What to do there, in words. The page that it ends on is read.' },
    },
  ),
  done: createTool(
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
  doneWithAnswer: createTool(
    'done',
    'End with an answer in words. It must rest on the answers of pages that were read.',
    { answer: { type: 'string' } },
  ),
}

export function toolsFor({ request }: AgentInput, { hasBrowser }: { hasBrowser: boolean }): ToolOffer[] {
  const { strictConstrainToURLs, urls, mode } = request
  const hasSite = urls.some((url) => url.endsWith('/*'))
  return [
    ...(strictConstrainToURLs ? [] : [tools.search]),
    ...(strictConstrainToURLs && !hasSite ? [] : [tools.discover]),
    tools.scrape,
    ...(hasBrowser ? [tools.browse] : []),
    mode === 'chat' ? tools.doneWithAnswer : tools.done,
  ]
}
