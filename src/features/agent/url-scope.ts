import { isUrl } from '../../platform/url.ts'
import { findTaskSites, urlsInText } from '../../sessions/agent/allowed-sites.ts'
import { sitesOfSecrets } from '../../sessions/agent/secret-sites.ts'
import { type AgentRun, canRead, keyOf } from './run.ts'
import type { AgentInput } from './stored.ts'

/** What a run may fetch. A model reads pages that may tell it what to fetch, so its word alone is not enough. */
export interface Reach {
  /** The address to fetch for one that the model names, or the reason why it is not fetched. */
  check(text: string): { url: URL } | { refused: string }
  /** The reason why a search for these words, or a task on this page, is not run. */
  refusalOfQuery(query: string): string | undefined
  refusalOfTask(task: string, url: URL): string | undefined
}

/** What the caller wrote: of this run, and of earlier runs of its thread. */
type Asked = Pick<AgentInput['request'], 'prompt' | 'urls'>

/**
 * Sites that the caller names are open. Of other sites only addresses that a search, a site listing or a page returned are
 * fetched, exactly as they were returned, and the first page of their hosts: an address that the model puts together could
 * carry what it has read to another site.
 */
export function urlScopeOf(run: AgentRun, earlier: readonly Asked[] = []): Reach {
  const asked = [run.input.request, ...earlier]
  const urls = asked.flatMap((one) => one.urls.map((url) => url.replace(/\/\*$/, '')))
  const prompt = asked.map((one) => one.prompt).join('\n')
  const sites = findTaskSites(urls, `${prompt}\n${urls.join('\n')}`)
  const secrets = sitesOfSecrets(prompt, urls)
  const seen = new Map(seenIn(run).map((url) => [keyOf(url), url]))
  const hosts = new Set([...seen.values()].map(({ origin }) => origin))

  return {
    check(text) {
      const parsed = isUrl(text) ? URL.parse(text) : null
      if (!parsed) return { refused: 'not a valid address' }
      if (!canRead(run.input, parsed)) return { refused: 'only the given addresses may be read' }
      // Keys leave out what only tracks visitors, so the address as it was seen is used. The model did not write it.
      const known = seen.get(keyOf(parsed))
      if (known) return { url: known }
      const isRoot = hosts.has(parsed.origin) && parsed.href === `${parsed.origin}/`
      if (!isRoot && sites.refusal(parsed.href) !== undefined)
        return {
          refused:
            'neither on a site that the task names nor an address that a search, a listing or a page returned',
        }
      const isGiven = urls.includes(text)
      if (!isGiven && secrets.refusal(parsed.href, parsed.href) !== undefined)
        return { refused: 'it has a secret of the task, which was not named for this site' }
      return { url: parsed }
    },
    refusalOfQuery: (query) =>
      secrets.areIn(query) ? 'Not run: the words have a secret of the task. Search without it.' : undefined,
    refusalOfTask(task, url) {
      if (secrets.refusal(task, url.href) !== undefined)
        return 'Not run: the words have a secret of the task, which was not named for this site.'
      const foreign = urlsInText(task).find((address) => sites.refusal(address) !== undefined)
      // A browser may open every page of the sites that its task names.
      return (
        foreign && `Not run: ${foreign.slice(0, 200)} is not on a site that the task of the caller names.`
      )
    },
  }
}

/** Addresses that the run was shown: results of searches and listings, pages, and what pages link to. */
function seenIn({ steps, pages }: AgentRun): URL[] {
  const listed = steps
    .filter(({ action }) => action === 'search' || action === 'discover')
    .flatMap(({ observation = '' }) => observation.split('\n').map((line) => line.split(' | ', 1)[0] ?? ''))
  const ofPages = pages.flatMap(({ url, links = [] }) => [url, ...links])
  return [...listed, ...ofPages].flatMap((text) => (isUrl(text) ? (URL.parse(text) ?? []) : []))
}
