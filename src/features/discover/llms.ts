import type { SitemapEntry } from '../../content/site/sitemap.ts'
import { type SitemapNeeds, sevenDays } from './sitemaps.ts'

const mostLinks = 5000

/** The pages that a site names for language models: the links of its llms.txt, which is Markdown. */
export async function llmsLinks(
  needs: Pick<SitemapNeeds, 'files' | 'teamId' | 'signal'>,
  origin: string,
): Promise<SitemapEntry[]> {
  try {
    const { status, bytes, contentType, url } = await needs.files.read(
      needs.teamId,
      new URL('/llms.txt', origin),
      {
        maxAge: sevenDays,
        signal: needs.signal,
      },
    )
    // Many sites answer any address with their home page.
    if (status !== 200 || /html/i.test(contentType ?? '')) return []
    return markdownLinks(new TextDecoder().decode(bytes.subarray(0, 2_000_000)), url)
  } catch (thrown) {
    if (needs.signal.aborted) throw thrown
    return []
  }
}

function markdownLinks(text: string, base: string): SitemapEntry[] {
  const entries: SitemapEntry[] = []
  for (const [, title = '', href = '', description = ''] of text.matchAll(
    /\[([^[\]\n]{0,300})\]\(<?([^\s()<>]{1,2000})>?(?:[ \t][^()\n]{0,300})?\)(?::[ \t]*([^\n]{0,500}))?/g,
  )) {
    const url = URL.parse(href, base)
    if (!url || !/^https?:$/.test(url.protocol)) continue
    entries.push({
      kind: 'page',
      url: url.href,
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(description.trim() === '' ? {} : { description: description.trim() }),
    })
    if (entries.length >= mostLinks) break
  }
  return entries
}
