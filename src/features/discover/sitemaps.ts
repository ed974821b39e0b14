import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { createSitemapReader, type SitemapEntry } from '../../content/site/sitemap.ts'
import { AppError } from '../../platform/errors.ts'
import type { Trace } from '../../platform/trace/trace.ts'
import type { SiteRobots } from './robots-files.ts'
import type { SiteFile, SiteFiles } from './site-files.ts'

export interface SitemapDeps {
  files: SiteFiles
  teamId: string
  maxAge: number
  signal: AbortSignal
}

export interface SitemapsRead {
  files: number
  pages: number
  notes: string[]
}

export const sevenDays = 7 * 24 * 3600_000

const maxFiles = 2000
const maxDepth = 4
const maxBytes = 64 * 1024 * 1024
const maxTotalBytes = 1024 * 1024 * 1024
/** Bytes parsed before their entries are processed: few enough to take some milliseconds. */
const chunkBytes = 16 * 1024
const maxConcurrentFiles = 4

const usualPaths = ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml', '/sitemap.txt']

export function listSitemaps(sites: ({ origin: string } & SiteRobots)[]): string[] {
  const declared = sites.flatMap(({ robots, origin }) =>
    robots.sitemaps.flatMap((text) => URL.parse(text, origin)?.href ?? []),
  )
  return [...declared, ...sites.flatMap(({ origin }) => usualPaths.map((path) => origin + path))]
}

export function traceSitemaps(
  trace: Trace | undefined,
  mode: 'skip' | 'include' | 'only',
  result: SitemapsRead | undefined,
): void {
  const { files = 0, pages = 0, notes = ['Reading them took too long.'] } = result ?? {}
  trace?.note({ step: 'sitemaps', mode, files, found: pages, message: notes[0] })
}

/** Passes entries on before the last sitemap of a large site is read. The callback returns false to stop. */
export async function readSitemaps(
  deps: SitemapDeps,
  starts: string[],
  onEntries: (entries: SitemapEntry[]) => Promise<boolean>,
): Promise<SitemapsRead> {
  const result: SitemapsRead = { files: 0, pages: 0, notes: [] }
  const seen = new Set<string>()
  const progress = { bytes: 0, result }
  const queue: { url: string; depth: number }[] = []
  let shouldContinue = true
  const add = (text: string, depth: number) => {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || seen.has(url.href)) return
    if (depth > maxDepth || seen.size >= maxFiles) {
      if (result.notes.length === 0)
        result.notes.push(`Only ${maxFiles} sitemaps, ${maxDepth} levels deep, were read.`)
      return
    }
    seen.add(url.href)
    queue.push({ url: url.href, depth })
  }
  async function runWorker(): Promise<void> {
    for (let next = queue.shift(); next && shouldContinue; next = queue.shift()) {
      const { url, depth } = next
      if (progress.bytes > maxTotalBytes) {
        shouldContinue = false
        result.notes.push('The sitemaps exceed 1 GB in total; the rest of them was skipped.')
        break
      }
      const isSitemap = await readSitemapFile({ ...deps, url, progress }, async (part) => {
        for (const entry of part) if (entry.kind === 'sitemap') add(entry.url, depth + 1)
        const pages = part.filter((entry) => entry.kind === 'page')
        result.pages += pages.length
        if (pages.length > 0) shouldContinue = shouldContinue && (await onEntries(pages))
        return shouldContinue
      })
      if (isSitemap) result.files += 1
    }
  }
  for (const start of starts) add(start, 0)
  while (queue.length > 0 && shouldContinue)
    await Promise.all(Array.from({ length: Math.min(maxConcurrentFiles, queue.length) }, runWorker))
  return result
}

async function readSitemapFile(
  deps: SitemapDeps & { url: string; progress: { bytes: number; result: SitemapsRead } },
  onEntries: (entries: SitemapEntry[]) => Promise<boolean>,
): Promise<boolean> {
  const { files, teamId, url, signal, progress } = deps
  const { notes } = progress.result
  const file = await files.read(teamId, new URL(url), deps).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown
    const reason = thrown instanceof AppError ? thrown.message : 'the response is not valid'
    notes.push(`${url} could not be read: ${reason}`)
  })
  if (file?.status !== 200) return false
  const pendingEntries: SitemapEntry[] = []
  const reader = createSitemapReader(file.url, (entry) => pendingEntries.push(entry))
  let bytes = 0
  for await (const part of decodeParts(file)) {
    bytes += part.length
    progress.bytes += part.length
    if (bytes > maxBytes) {
      notes.push(`${url} is larger than ${maxBytes / 1024 / 1024} MB; the rest of it was skipped.`)
      break
    }
    reader.write(part)
    // A web page instead of a sitemap has no entries; those of a sitemap are passed on immediately.
    if (pendingEntries.length > 0 && !(await onEntries(pendingEntries.splice(0)))) break
    await nextTurn()
  }
  const kind = reader.end()
  if (pendingEntries.length > 0) await onEntries(pendingEntries.splice(0))
  return kind !== 'other'
}

async function* decodeParts(file: SiteFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(detectEncoding(file))
  for await (const bytes of readChunks(file.bytes)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

/** Detects compressed files by their first bytes, because names and headers are often wrong. */
async function* readChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    for (let offset = 0; offset < bytes.length; offset += chunkBytes)
      yield bytes.subarray(offset, offset + chunkBytes)
    return
  }
  const gunzip = createGunzip()
  gunzip.end(bytes)
  try {
    yield* gunzip
  } catch {
    // The content up to the damage is used.
  }
}

function detectEncoding(file: SiteFile): string {
  const [first, second] = file.bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = Buffer.from(file.bytes.subarray(0, 200)).toString('latin1')
  const declaredEncoding =
    /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start)?.[1] ??
    /charset=["']?([\w-]+)/i.exec(file.contentType ?? '')?.[1]
  try {
    return new TextDecoder(declaredEncoding).encoding
  } catch {
    return 'utf-8'
  }
}

const maxLinks = 5000

export async function llmsLinks(deps: Pick<SitemapDeps, 'files' | 'teamId' | 'signal'>, origin: string) {
  try {
    const llmsUrl = new URL('/llms.txt', origin)
    const options = { maxAge: sevenDays, signal: deps.signal }
    const { status, bytes, contentType, url } = await deps.files.read(deps.teamId, llmsUrl, options)
    // Many sites respond to any URL with their home page.
    if (status !== 200 || /html/i.test(contentType ?? '')) return []
    return markdownLinks(new TextDecoder().decode(bytes.subarray(0, 2_000_000)), url)
  } catch (thrown) {
    if (deps.signal.aborted) throw thrown
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
    if (entries.length >= maxLinks) break
  }
  return entries
}
