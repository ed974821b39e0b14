import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Document } from '../../types.ts'
import { safeText } from '../safe-text.ts'
import { writeAtomically } from './atomic-file.ts'
import { hashUrl, toFilePath } from './file-name.ts'
import { frontMatter, type PageInfo, readFrontMatter } from './front-matter.ts'

interface PageFolder {
  /** Writes a page, unless the same job wrote it before. Returns its path, and `existed: true` if the file existed. */
  write(page: Document): Promise<{ path: string; existed: boolean }>
}

const maxFrontMatterBytes = 16_384
const maxSameNames = 3

/**
 * Opens a folder with one Markdown file per page, which has the metadata of the page as front matter. Each file
 * contains its URL and job, so a resumed run needs no index. Files that this program did not write are never replaced.
 */
export async function openPageFolder(folder: string, job: string | undefined): Promise<PageFolder> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  return {
    async write(page) {
      const url = requestedUrl(page)
      const formats = otherFormats(page)
      const { base, existed } = await findPath(root, {
        url,
        job,
        endings: formats.map(([extension]) => extension),
      })
      const displayPath = join(folder, relative(root, `${base}.md`))
      if (existed) return { path: displayPath, existed }
      for (const [extension, text] of formats) await writeAtomically(base + extension, text)
      // The Markdown file is written last, because its existence means that the page is complete.
      await writeAtomically(
        `${base}.md`,
        `${formatFrontMatter(page, { url, job })}${safeText(page.markdown ?? '')}\n`,
      )
      return { path: displayPath, existed: false }
    },
  }
}

/** Returns the requested URL. It is unique within a job, although several requested URLs may redirect to one page. */
export function requestedUrl({ metadata }: Document): string {
  return String(metadata.sourceURL ?? metadata.url ?? '')
}

export function formatFrontMatter(page: Document, { url, job }: PageInfo): string {
  return frontMatter(page.metadata, { url, job, warning: page.warning })
}

async function findPath(root: string, { url, job, endings }: PageInfo & { endings: readonly string[] }) {
  const names = toFilePath(url)
  const last = names.pop() ?? ''
  const folder = await createFolder(root, names)
  const hashedName = `${last}-${hashUrl(url)}`
  const numberedNames = Array.from({ length: maxSameNames }, (_, index) => `${hashedName}-${index + 2}`)
  for (const name of [last, hashedName, ...numberedNames]) {
    const base = join(folder, name)
    const existing = await readPageInfo(`${base}.md`)
    if (existing === 'none' && !(await existsAny(endings.map((extension) => base + extension))))
      return { base, existed: false }
    if (typeof existing === 'object' && existing.url === url)
      return { base, existed: job !== undefined && existing.job === job }
  }
  throw systemError(
    'EEXIST',
    `There is no free name for ${url}: ${join(folder, hashedName)}.md is of something else`,
  )
}

/** Creates folders one level at a time, because a symbolic link in the folder could point outside of it. */
async function createFolder(root: string, names: readonly string[]): Promise<string> {
  let folder = root
  for (const name of names) {
    folder = join(folder, name)
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if (!(await lstat(folder)).isDirectory())
      throw systemError('ENOTDIR', `${folder} is no folder; links are not followed`)
  }
  return folder
}

const systemError = (code: string, message: string) =>
  Object.assign(new Error(message), { code, syscall: 'open' })

async function existsAny(paths: readonly string[]): Promise<boolean> {
  const results = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  return results.includes(true)
}

async function readPageInfo(path: string) {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return 'none'
  try {
    if (!(await file.stat()).isFile()) return 'foreign'
    const { buffer, bytesRead } = await file.read(
      Buffer.alloc(maxFrontMatterBytes),
      0,
      maxFrontMatterBytes,
      0,
    )
    return readFrontMatter(buffer.toString('utf8', 0, bytesRead)) ?? 'foreign'
  } finally {
    await file.close()
  }
}

/** Returns the other formats by file extension. Values that are not text go into one JSON file. */
function otherFormats(page: Document): [string, string][] {
  const { markdown: _, metadata: __, warning: ___, html, rawHtml, ...rest } = page
  return [
    ...(typeof html === 'string' ? [['.html', html] as [string, string]] : []),
    ...(typeof rawHtml === 'string' ? [['.raw.html', rawHtml] as [string, string]] : []),
    ...(Object.keys(rest).length > 0
      ? [['.json', `${JSON.stringify(rest, null, 2)}\n`] as [string, string]]
      : []),
  ]
}
