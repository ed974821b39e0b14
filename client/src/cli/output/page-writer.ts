import type { PagesJob } from '../../pages-job.ts'
import type { Document } from '../../types.ts'
import type { Context } from '../command.ts'
import { safeJson, safeLine, safeText } from '../safe-text.ts'
import { openAtomicFile } from './atomic-file.ts'
import { formatFrontMatter, openPageFolder, requestedUrl } from './page-folder.ts'
import { getPagesTarget } from './target.ts'

/** Writer for the pages of a job. */
export interface PageWriter {
  /** True if the writer downloads all pages at the end. `write` then does nothing. */
  isDownload?: boolean
  write(page: Document): Promise<void>
  /** Completes the output after the last page. */
  finish(): Promise<void>
  /** Ends the output before the last page. Pages in separate files stay. */
  discard(): Promise<void>
  /** Returns the location of the pages for the final message. */
  summary(): string
}

const noop = async () => {}

export async function openPageWriter(context: Context, job: PagesJob): Promise<PageWriter> {
  const target = getPagesTarget(context)
  switch (target.kind) {
    case 'folder':
      return createFolderWriter(target.path, job)
    case 'markdown':
      return createMarkdownWriter(target.path, job)
    case 'download':
      return {
        isDownload: true,
        write: noop,
        finish: async () =>
          writeDownload(target.path, await job.download(target.format, { signal: context.signal })),
        discard: noop,
        summary: () => ` Written to ${target.path}.`,
      }
    case 'none':
      return createOutputWriter(context, job)
  }
}

async function createFolderWriter(path: string, job: PagesJob): Promise<PageWriter> {
  const folder = await openPageFolder(path, job.id)
  let written = 0
  let existing = 0
  return {
    async write(page) {
      const { existed } = await folder.write(page)
      if (existed) existing += 1
      else written += 1
    },
    finish: noop,
    discard: noop,
    summary: () => ` ${written} written to ${path}${existing > 0 ? `, ${existing} were there` : ''}.`,
  }
}

async function createMarkdownWriter(path: string, job: PagesJob): Promise<PageWriter> {
  const file = await openAtomicFile(path)
  return {
    write: (page) => file.write(pageText(page, job.id)),
    finish: () => file.commit(),
    discard: () => file.discard(),
    summary: () => ` Written to ${path}.`,
  }
}

/**
 * Prints one line per page to a terminal, because hundreds of pages are not readable there. Writes complete pages to a
 * pipe.
 */
function createOutputWriter({ terminal, values }: Context, job: PagesJob): PageWriter {
  const isJson = values.flags.has('json')
  const formatPage = (page: Document) => {
    if (isJson) return `${safeJson(page)}\n`
    return terminal.isTerminal ? pageLine(page, terminal.isStyled) : pageText(page, job.id)
  }
  return {
    write: (page) => terminal.print(formatPage(page)),
    finish: noop,
    discard: noop,
    summary: () => '',
  }
}

function pageLine(page: Document, isStyled: boolean): string {
  const status = String(page.metadata.statusCode ?? '')
  const title = safeLine(String(page.metadata.title ?? ''))
  const url = safeLine(requestedUrl(page))
  return `${status} ${url}${title === '' ? '' : `  ${isStyled ? `\x1b[2m${title}\x1b[22m` : title}`}\n`
}

function pageText(page: Document, job: string): string {
  const header = formatFrontMatter(page, { url: requestedUrl(page), job })
  return `${header}${safeText(page.markdown ?? '')}\n\n`
}

async function writeDownload(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const file = await openAtomicFile(path)
  try {
    for await (const chunk of stream) await file.write(chunk)
    await file.commit()
  } catch (thrown) {
    await file.discard()
    throw thrown
  }
}
