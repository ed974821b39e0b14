import { lstat, mkdir, open, realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Document } from '../../types.ts'
import { safeText } from '../safe-text.ts'
import { writeAtomically } from './atomic-file.ts'
import { filePathOf, markOf } from './file-name.ts'
import { frontMatter, type PageFacts, readFrontMatter } from './front-matter.ts'

interface PageFolder {
  /** Writes a page, unless the same job has written it before. Answers its path, and whether it was there. */
  write(page: Document): Promise<{ path: string; wasThere: boolean }>
}

const longestFrontMatter = 16_384
const maxSameNames = 3

/**
 * One Markdown file per page, with what is known of the page before its text. A file says itself which page and job it is of,
 * so a run that continues later needs no list. Files of others are never replaced.
 */
export async function openPageFolder(folder: string, job: string | undefined): Promise<PageFolder> {
  await mkdir(folder, { recursive: true })
  const root = await realpath(folder)
  return {
    async write(page) {
      const url = addressOf(page)
      const others = besides(page)
      const { base, wasThere } = await placeFor(root, { url, job, endings: others.map(([ending]) => ending) })
      const shown = join(folder, relative(root, `${base}.md`))
      if (wasThere) return { path: shown, wasThere }
      for (const [ending, text] of others) await writeAtomically(base + ending, text)
      // Last, as it says that the page is whole.
      await writeAtomically(
        `${base}.md`,
        `${frontMatterOf(page, { url, job })}${safeText(page.markdown ?? '')}\n`,
      )
      return { path: shown, wasThere: false }
    },
  }
}

/** The address that was asked for: within a job no two pages have the same, while several may lead to one page. */
export function addressOf({ metadata }: Document): string {
  return String(metadata.sourceURL ?? metadata.url ?? '')
}

export function frontMatterOf(page: Document, { url, job }: PageFacts): string {
  return frontMatter(page.metadata, { url, job, warning: page.warning })
}

async function placeFor(root: string, { url, job, endings }: PageFacts & { endings: readonly string[] }) {
  const names = filePathOf(url)
  const last = names.pop() ?? ''
  const folder = await folderWithin(root, names)
  const marked = `${last}-${markOf(url)}`
  const others = Array.from({ length: maxSameNames }, (_, index) => `${marked}-${index + 2}`)
  for (const name of [last, marked, ...others]) {
    const base = join(folder, name)
    const found = await factsIn(`${base}.md`)
    if (found === 'none' && !(await isAnyThere(endings.map((ending) => base + ending))))
      return { base, wasThere: false }
    if (typeof found === 'object' && found.url === url)
      return { base, wasThere: job !== undefined && found.job === job }
  }
  throw systemError(
    'EEXIST',
    `There is no free name for ${url}: ${join(folder, marked)}.md is of something else`,
  )
}

/** One level at a time: a link that somebody put into the folder could lead out of it. */
async function folderWithin(root: string, names: readonly string[]): Promise<string> {
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

async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}

async function factsIn(path: string) {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return 'none'
  try {
    if (!(await file.stat()).isFile()) return 'foreign'
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestFrontMatter), 0, longestFrontMatter, 0)
    return readFrontMatter(buffer.toString('utf8', 0, bytesRead)) ?? 'foreign'
  } finally {
    await file.close()
  }
}

/** Formats beside Markdown, each in a file of its own; what is no text goes into one of JSON. */
function besides(page: Document): [string, string][] {
  const { markdown: _, metadata: __, warning: ___, html, rawHtml, ...rest } = page
  return [
    ...(typeof html === 'string' ? [['.html', html] as [string, string]] : []),
    ...(typeof rawHtml === 'string' ? [['.raw.html', rawHtml] as [string, string]] : []),
    ...(Object.keys(rest).length > 0
      ? [['.json', `${JSON.stringify(rest, null, 2)}\n`] as [string, string]]
      : []),
  ]
}
