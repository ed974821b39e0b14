import type { ParsedPrompt, PromptOptions } from '../../extraction/page-parts/crawl-prompt.ts'
import { readUrl } from '../../platform/url.ts'
import { type DiscoverDeps, discover } from '../discover/discover.ts'
import { type PromptedCrawl, promptFields } from './schema.ts'

interface PreviewDeps {
  seenPaths: (start: URL) => Promise<string[]>
  readPrompt: (prompt: string, seenPaths: readonly string[]) => Promise<ParsedPrompt>
}

export interface Preview {
  options: PromptedCrawl & { url: string }
  warning?: string
}

export async function previewCrawl(
  deps: PreviewDeps,
  request: { url: string; prompt: string },
): Promise<Preview> {
  const start = readUrl(request.url)
  const { options, unclear } = await deps.readPrompt(request.prompt, await deps.seenPaths(start))
  const { allowed, refused } = splitAllowed(options)
  const quoted = unclear.map((part) => `"${part}"`).join(', ')
  const warnings = [
    ...(unclear.length > 0
      ? [`Not understood, or nothing on the site answers to it: ${quoted}. Give options for it yourself.`]
      : []),
    ...(refused.length > 0 ? [`Outside of what a crawl can be asked for: ${refused.join(', ')}.`] : []),
  ]
  return {
    options: { url: start.href, ...allowed },
    ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}),
  }
}

function splitAllowed(prompted: PromptOptions): { allowed: PromptedCrawl; refused: string[] } {
  const { error } = promptFields.safeParse(prompted)
  const refused = new Set(error?.issues.map(({ path }) => String(path[0])))
  const allowed = Object.entries(prompted).filter(([name]) => !refused.has(name))
  return { allowed: Object.fromEntries(allowed), refused: [...refused] }
}

const previewLimits = { timeout: 8000, limit: 2000, pages: 8 }

export async function seenPaths(
  deps: DiscoverDeps,
  { teamId, start }: { teamId: string; start: URL },
  signal: AbortSignal,
): Promise<string[]> {
  const request = {
    ...{ teamId, start, sitemap: 'include' as const, sitemapMs: previewLimits.timeout / 2 },
    scope: { entireDomain: true, subdomains: false, external: false, now: 0 },
    ...{ limit: previewLimits.limit, maxPages: previewLimits.pages },
  }
  const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(previewLimits.timeout)])
  // If the map fails, sections in the prompt are not understood, but the other parts of the prompt are.
  const { pages } = await discover(deps, request, combinedSignal).catch(() => ({ pages: [] }))
  signal.throwIfAborted()
  return pages.map((page) => new URL(page.url).pathname)
}
