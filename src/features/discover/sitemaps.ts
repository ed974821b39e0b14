import { setImmediate as nextTurn } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { type SitemapEntry, sitemapReader } from '../../content/site/sitemap.ts'
import { AppError } from '../../platform/errors.ts'
import type { SiteFile, SiteFiles } from './site-files.ts'

export interface SitemapDeps {
  files: SiteFiles
  teamId: string
  /** How old a kept sitemap may be. */
  maxAge: number
  signal: AbortSignal
}

export interface SitemapsRead {
  /** Files that were sitemaps or feeds. */
  files: number
  pages: number
  /** What was cut off or could not be read. */
  notes: string[]
}

export const sevenDays = 7 * 24 * 3600_000

const maxFiles = 2000
const deepestIndex = 4
/** The protocol allows 50 MB; somewhat more is read, all the rest is not. */
const maxBytes = 64 * 1024 * 1024
/** All files of one site together. */
const maxBytesInAll = 1024 * 1024 * 1024
/** What it names is looked at before the next part: few enough entries to take some milliseconds. */
const partLength = 16 * 1024
const atOnce = 4

/** Where sitemaps are when nobody says so. */
export function usualSitemaps(origin: string): string[] {
  return ['/sitemap.xml', '/sitemap_index.xml', '/sitemap-index.xml', '/sitemap.txt'].map(
    (path) => origin + path,
  )
}

/**
 * Reads sitemaps and whatever they point to. Entries are handed on in parts while the files are being read, so that a
 * large site can be worked on before its last sitemap is there. Answers false from `found` to stop.
 */
export async function readSitemaps(
  deps: SitemapDeps,
  starts: string[],
  found: (entries: SitemapEntry[]) => Promise<boolean>,
): Promise<SitemapsRead> {
  const read: SitemapsRead = { files: 0, pages: 0, notes: [] }
  const seen = new Set<string>()
  const size = { bytes: 0 }
  const queue: { url: string; depth: number }[] = []
  let goesOn = true
  const add = (text: string, depth: number) => {
    const url = URL.parse(text)
    if (!url || !/^https?:$/.test(url.protocol) || seen.has(url.href)) return
    if (depth > deepestIndex || seen.size >= maxFiles) {
      if (read.notes.length === 0)
        read.notes.push(`Only ${maxFiles} sitemaps, ${deepestIndex} levels deep, were read.`)
      return
    }
    seen.add(url.href)
    queue.push({ url: url.href, depth })
  }
  async function work(): Promise<void> {
    for (let next = queue.shift(); next && goesOn; next = queue.shift()) {
      const { depth } = next
      if (size.bytes > maxBytesInAll) {
        goesOn = false
        read.notes.push('The sitemaps exceed 1 GB in total; the rest of them was skipped.')
        break
      }
      const entries = await readOne({ ...deps, size }, { url: next.url, read }, async (part) => {
        for (const entry of part) if (entry.kind === 'sitemap') add(entry.url, depth + 1)
        const pages = part.filter((entry) => entry.kind === 'page')
        read.pages += pages.length
        if (pages.length > 0) goesOn = goesOn && (await found(pages))
        return goesOn
      })
      if (entries) read.files += 1
    }
  }
  for (const start of starts) add(start, 0)
  // Files that an index names keep all of them busy; until then one is enough.
  while (queue.length > 0 && goesOn)
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, work))
  return read
}

/** Whether the file was a sitemap or a feed at all. */
async function readOne(
  deps: SitemapDeps & { size: { bytes: number } },
  { url, read }: { url: string; read: SitemapsRead },
  found: (entries: SitemapEntry[]) => Promise<boolean>,
): Promise<boolean> {
  let file: SiteFile
  try {
    file = await deps.files.read(deps.teamId, new URL(url), { maxAge: deps.maxAge, signal: deps.signal })
  } catch (thrown) {
    if (deps.signal.aborted) throw thrown
    read.notes.push(
      `${url} could not be read: ${thrown instanceof AppError ? thrown.message : 'the response is not valid'}`,
    )
    return false
  }
  if (file.status !== 200) return false
  const waiting: SitemapEntry[] = []
  const reader = sitemapReader(file.url, (entry) => waiting.push(entry))
  let bytes = 0
  for await (const part of parts(file)) {
    bytes += part.length
    deps.size.bytes += part.length
    if (bytes > maxBytes) {
      read.notes.push(`${url} is larger than ${maxBytes / 1024 / 1024} MB; the rest of it was skipped.`)
      break
    }
    reader.write(part)
    // A web page instead of a sitemap has no entries; a sitemap hands them on as they come.
    if (waiting.length > 0 && !(await found(waiting.splice(0)))) break
    await nextTurn()
  }
  const kind = reader.end()
  if (waiting.length > 0) await found(waiting.splice(0))
  return kind !== 'other'
}

/** The text of a file, part by part. Packed files are recognised by their first bytes, as names and headers often lie. */
async function* parts(file: SiteFile): AsyncGenerator<string> {
  const decoder = new TextDecoder(encodingOf(file))
  for await (const bytes of chunks(file.bytes)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) {
    for (let at = 0; at < bytes.length; at += partLength) yield bytes.subarray(at, at + partLength)
    return
  }
  const unpacked = createGunzip()
  unpacked.end(bytes)
  try {
    yield* unpacked
  } catch {
    // Cut off or damaged: what came until here is worth having.
  }
}

function encodingOf(file: SiteFile): string {
  const [first, second] = file.bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = Buffer.from(file.bytes.subarray(0, 200)).toString('latin1')
  const said =
    /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start)?.[1] ??
    /charset=["']?([\w-]+)/i.exec(file.contentType ?? '')?.[1]
  try {
    return new TextDecoder(said).encoding
  } catch {
    return 'utf-8'
  }
}

const maxLinks = 5000

/** The pages that a site names for language models: the links of its llms.txt, which is Markdown. */
export async function llmsLinks(
  deps: Pick<SitemapDeps, 'files' | 'teamId' | 'signal'>,
  origin: string,
): Promise<SitemapEntry[]> {
  try {
    const { status, bytes, contentType, url } = await deps.files.read(
      deps.teamId,
      new URL('/llms.txt', origin),
      {
        maxAge: sevenDays,
        signal: deps.signal,
      },
    )
    // Many sites answer any address with their home page.
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
