import { isUrl } from '../../platform/url.ts'
import { findTaskSites, urlsInText } from '../../sessions/agent/allowed-sites.ts'
import { sitesOfSecrets } from '../../sessions/agent/secret-sites.ts'
import { type AgentRun, canRead, keyOf } from './run.ts'
import type { AgentInput } from './stored.ts'

export type UrlScope = ReturnType<typeof urlScopeOf>

/** Pages could make the model compose a URL that leaks content, so other sites are read only at URLs that were found. */
export function urlScopeOf(
  run: AgentRun,
  requests: readonly Pick<AgentInput['request'], 'prompt' | 'urls'>[],
) {
  const urls = requests.flatMap((request) => request.urls.map((url) => url.replace(/\/\*$/, '')))
  const prompt = requests.map((request) => request.prompt).join('\n')
  const sites = findTaskSites(urls, `${prompt}\n${urls.join('\n')}`)
  const secrets = sitesOfSecrets(prompt, urls)
  const seen = new Map(collectSeenUrls(run).map((url) => [keyOf(url), url]))
  const hosts = new Set([...seen.values()].map(({ origin }) => origin))

  return {
    check(text: string): { url: URL } | { refused: string } {
      const parsed = isUrl(text) ? URL.parse(text) : null
      if (!parsed) return { refused: 'not a valid address' }
      if (!canRead(run.input, parsed)) return { refused: 'only the given addresses may be read' }
      // The model may have added tracking parameters, which keys omit.
      const seenUrl = seen.get(keyOf(parsed))
      if (seenUrl) return { url: seenUrl }
      const isRoot = hosts.has(parsed.origin) && parsed.href === `${parsed.origin}/`
      if (!isRoot && sites.refusal(parsed.href) !== undefined)
        return {
          refused:
            'neither on a site that the task names nor an address that a search, a listing or a page returned',
        }
      if (!urls.includes(text) && secrets.refusal(parsed.href, parsed.href) !== undefined)
        return { refused: 'it has a secret of the task, which was not named for this site' }
      return { url: parsed }
    },
    hasSecret: secrets.hasSecret,
    refusalOfTask(task: string, url: URL): string | undefined {
      if (secrets.refusal(task, url.href) !== undefined)
        return 'Not run: the words have a secret of the task, which was not named for this site.'
      const foreignUrl = urlsInText(task).find((candidate) => sites.refusal(candidate) !== undefined)
      // The browser may open every page of the sites that its task names.
      return (
        foreignUrl &&
        `Not run: ${foreignUrl.slice(0, 200)} is not on a site that the task of the caller names.`
      )
    },
  }
}

function collectSeenUrls({ steps, pages }: AgentRun): URL[] {
  const listed = steps
    .filter(({ action }) => action === 'search' || action === 'discover')
    .flatMap(({ observation = '' }) => observation.split('\n').map((line) => line.split(' | ', 1)[0] ?? ''))
  const pageUrls = pages.flatMap(({ url, links = [] }) => [url, ...links])
  return [...listed, ...pageUrls].flatMap((text) => (isUrl(text) ? (URL.parse(text) ?? []) : []))
}
