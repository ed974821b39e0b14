import type { Log } from '../../platform/log.ts'
import type { Permits } from '../../platform/permits.ts'
import type { FoundDocument } from '../../search/index/search-index.ts'
import type { PageSearchResult, SearchPages } from '../../search/page-search.ts'
import type { ProviderRequest, ProviderResult } from '../../search/providers/provider.ts'
import type {
  ConfiguredProvider,
  ProviderCaller,
  ProviderRequester,
} from '../../search/providers/provider-caller.ts'
import { writeQuery } from '../../search/query/write-query.ts'
import type { SearchThread } from '../../search/thread/search-thread.ts'
import type { ChosenProviders } from '../../search/web/choose-providers.ts'
import {
  mergeResults,
  queryAll,
  queryFirstThatAnswers,
  type WebResponse,
} from '../../search/web/search-providers.ts'
import { present } from '../present.ts'
import type { SearchPlan } from './plan.ts'

export interface SourceQueryDeps {
  thread: Pick<SearchThread, 'ask'>
  searchPages: SearchPages
  asking: ProviderCaller
  providers: ChosenProviders
  /** Searches of the own index that run at once, shared by teams. */
  turns: Permits
  log: Log
}

/** A result of a provider or of the own index. */
interface FoundResult extends ProviderResult {
  /** Where words of the query stand in the text; undefined where nobody has looked yet. */
  marks?: [start: number, end: number][]
}

/** What came of one list. */
export interface SourceResults {
  plan: SearchPlan
  results: FoundResult[]
  /** Who answered beside the own index. */
  by: string[]
  /** Who could not answer, and why. */
  failures: string[]
  unmet: string[]
  /** Providers had no time to answer. */
  isLate: boolean
  /** How many documents the own index holds. */
  documents: number
  /** False if the index of own pages is switched off. */
  areOwnPagesSearched: boolean
}

/** The results of one source, whatever they were found by. */
export interface ResultList {
  source: SearchPlan['source']
  results: (FoundResult & Pick<Partial<SearchPlan>, 'category'>)[]
}

export interface SourceQuery {
  plan: SearchPlan
  asker: ProviderRequester
  now: number
  /** Describe own pages by the passage that answers. */
  showsPassages: boolean
  /** How long providers may take; what was found by then is the answer. */
  outsideMs: number
  /** Only who keeps nothing may be asked: the own index, and servers of the operator's own. */
  isOwnOnly: boolean
}

/** Looks in the own index and asks the providers, at the same time. */
export async function querySources(deps: SourceQueryDeps, order: SourceQuery): Promise<SourceResults> {
  const { plan } = order
  const [own, web] = await Promise.all([searchOwn(deps, order), searchOutside(deps, order)])
  // Beside the web, a page that has but one of the words is noise; alone, it is the best there is.
  const isAlone = web.results.length === 0
  const fitting = own.found.filter(({ coverage }) => isAlone || coverage >= enoughCoverage)
  const results = fitting.map((document) => resultOf(document, order.showsPassages))
  const unmet = [...web.unmet]
  if (!plan.isCountryAssumed && results.length > 0)
    unmet.push('own pages are not limited by country or location')
  if (own.lacksMeaning && results.length > 0)
    unmet.push('own pages were ranked by their words alone, because the sentence model did not answer')
  if (own.withoutVector > 0 && results.length > 0)
    unmet.push(`${own.withoutVector} own pages were ranked by their words alone until their vectors are made`)
  if (own.unindexed > 0)
    unmet.push(`${own.unindexed} own pages are being indexed again and cannot be found yet`)
  if (own.exclusion !== undefined) unmet.push(own.exclusion)
  if (own.unknown !== undefined) unmet.push(`related:${own.unknown} is not among the own pages`)
  return {
    plan,
    results: inOrder(mergeResults<FoundResult>([results, web.results], plan.most, keyFor(plan)), plan),
    ...{ by: web.by, isLate: web.isLate, documents: own.documents, unmet },
    areOwnPagesSearched: own.exclusion === undefined,
    failures: own.hasFailed ? [...web.failures, 'the own pages could not be searched'] : web.failures,
  }
}

const enoughCoverage = 0.75

/** Two images may stand on the same page. */
function keyFor({ source }: SearchPlan): ((result: FoundResult) => string) | undefined {
  return source === 'images' ? ({ imageUrl, url }) => imageUrl ?? url : undefined
}

type OwnAnswer = PageSearchResult & { hasFailed?: true }

async function searchOwn(
  { searchPages, turns, log }: SourceQueryDeps,
  { plan, asker, now }: SourceQuery,
): Promise<OwnAnswer> {
  const { source, narrowed: query, range, most } = plan
  const kind = source === 'images' ? ('image' as const) : ('page' as const)
  const wanted = { teamId: asker.teamId, kind, query, range, isNews: source === 'news', limit: most }
  try {
    return await turns.run({ team: asker.teamId }, asker.signal, () =>
      searchPages(wanted, { now, signal: asker.signal }),
    )
  } catch (cause) {
    if (asker.signal.aborted) throw cause
    // The web can be searched all the same.
    log.error({ cause }, 'the search index could not be searched')
    return { found: [], documents: 0, withoutVector: 0, unindexed: 0, hasFailed: true }
  }
}

type OutsideAnswer = WebResponse & { isLate: boolean }

/** One after the other until one answers, as far as there is time. */
async function searchOutside(deps: SourceQueryDeps, order: SourceQuery): Promise<OutsideAnswer> {
  const { asker, outsideMs } = order
  const late = AbortSignal.timeout(outsideMs)
  const failures: string[] = []
  try {
    const signal = AbortSignal.any([asker.signal, late])
    const answer = await askInTurn(deps.asking, stepsOf(deps, order), { ...asker, signal }, failures)
    return { ...answer, isLate: false }
  } catch (thrown) {
    if (asker.signal.aborted || !late.aborted) throw thrown
    failures.push(`the providers did not answer within ${outsideMs} ms`)
    return { results: [], by: [], failures, unmet: [], isLate: true }
  }
}

interface Step {
  group: ConfiguredProvider[]
  request: ProviderRequest
}

/** The providers of the category first; then those of the web, asked for its sites or files. */
function stepsOf({ providers }: SourceQueryDeps, order: SourceQuery): Step[] {
  const { plan, isOwnOnly } = order
  const { category } = plan
  const request = requestOf(order)
  const ofCategory = category === undefined ? [] : providers.groupsFor(category)
  const steps = [
    ...ofCategory.map((group) => ({
      group,
      request: { ...request, query: plan.query, ...(category && { category }) },
    })),
    ...providers.groupsFor(plan.source).map((group) => ({ group, request })),
  ]
  if (!isOwnOnly) return steps
  const isOwn = ({ provider }: ConfiguredProvider) => provider.requires === 'address'
  return steps
    .map((step) => ({ ...step, group: step.group.filter(isOwn) }))
    .filter(({ group }) => group.length > 0)
}

async function askInTurn(
  asking: ProviderCaller,
  steps: Step[],
  asker: ProviderRequester,
  failures: string[],
): Promise<WebResponse> {
  for (const { group, request: asked } of steps) {
    const able = group.filter(
      ({ provider }) => writeQuery(asked.query, provider.abilities.dialect).text !== '',
    )
    if (able.length === 0) {
      failures.push(...group.map(({ provider }) => `${provider.name} cannot search for this without words`))
      continue
    }
    const answer = await (able.length > 1 ? queryAll : queryFirstThatAnswers)(asking, able, asked, asker)
    failures.push(...answer.failures)
    if (answer.by.length > 0) return { ...answer, failures }
  }
  return { results: [], by: [], failures, unmet: [] }
}

function requestOf({ plan, now }: SourceQuery): ProviderRequest {
  const { source, narrowed: query, range, country, isCountryAssumed, location, language, isSafe, most } = plan
  return {
    ...{ source, query, range, most, now, isCountryAssumed },
    ...present({ country, location, language, isSafe }),
  }
}

function resultOf(document: FoundDocument, showsPassages: boolean): FoundResult {
  const { url, title, passage, beginning, publishedAt, image } = document
  const shown = showsPassages && passage ? passage : { text: beginning, marks: undefined }
  return {
    ...{ url, title, text: shown.text },
    ...(shown.marks ? { marks: shown.marks } : {}),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(image ? { imageUrl: image.url } : {}),
    ...(image?.width === undefined ? {} : { imageWidth: image.width }),
    ...(image?.height === undefined ? {} : { imageHeight: image.height }),
  }
}

/** Lists that are in the order of time stay so when they are merged. */
function inOrder(results: FoundResult[], { range }: SearchPlan): FoundResult[] {
  if (!range.isNewestFirst) return results
  return results.toSorted((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0))
}
