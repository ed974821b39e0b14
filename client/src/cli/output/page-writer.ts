import type { PagesJob } from '../../pages-job.ts'
import type { Document } from '../../types.ts'
import type { Context } from '../command.ts'
import { safeJson, safeLine, safeText } from '../safe-text.ts'
import { openAtomicFile } from './atomic-file.ts'
import { addressOf, frontMatterOf, openPageFolder } from './page-folder.ts'
import { pagesTargetOf } from './target.ts'

/** Takes the pages of a job one by one. */
export interface PageWriter {
  /** It only waits for the end: the pages come as a whole then. */
  isWhole?: boolean
  write(page: Document): Promise<void>
  /** All pages are there. */
  finish(): Promise<void>
  /** No more pages come; what is written page by page stays. */
  abandon(): Promise<void>
  /** Where they are, for the end. */
  summary(): string
}

const nothing = async () => {}

export async function openPageWriter(context: Context, job: PagesJob): Promise<PageWriter> {
  const target = pagesTargetOf(context)
  switch (target.kind) {
    case 'folder':
      return intoFolder(target.path, job)
    case 'markdown':
      return intoMarkdown(target.path, job)
    case 'download':
      return {
        isWhole: true,
        write: nothing,
        finish: async () =>
          copyDownload(target.path, await job.download(target.format, { signal: context.signal })),
        abandon: nothing,
        summary: () => ` Written to ${target.path}.`,
      }
    case 'none':
      return ontoTerminal(context, job)
  }
}

async function intoFolder(path: string, job: PagesJob): Promise<PageWriter> {
  const folder = await openPageFolder(path, job.id)
  let written = 0
  let present = 0
  return {
    async write(page) {
      const { wasThere } = await folder.write(page)
      if (wasThere) present += 1
      else written += 1
    },
    finish: nothing,
    abandon: nothing,
    summary: () => ` ${written} written to ${path}${present > 0 ? `, ${present} were there` : ''}.`,
  }
}

async function intoMarkdown(path: string, job: PagesJob): Promise<PageWriter> {
  const file = await openAtomicFile(path)
  return {
    write: (page) => file.write(pageText(page, job.id)),
    finish: () => file.commit(),
    abandon: () => file.abandon(),
    summary: () => ` Written to ${path}.`,
  }
}

/** In a terminal a line per page, as nobody reads hundreds of pages there; in a pipe the pages themselves. */
function ontoTerminal({ terminal, values }: Context, job: PagesJob): PageWriter {
  const isJson = values.flags.has('json')
  const show = (page: Document) => {
    if (isJson) return `${safeJson(page)}\n`
    return terminal.isTerminal ? pageLine(page, terminal.isStyled) : pageText(page, job.id)
  }
  return {
    write: (page) => terminal.print(show(page)),
    finish: nothing,
    abandon: nothing,
    summary: () => '',
  }
}

function pageLine(page: Document, isStyled: boolean): string {
  const status = String(page.metadata.statusCode ?? '')
  const title = safeLine(String(page.metadata.title ?? ''))
  const url = safeLine(addressOf(page))
  return `${status} ${url}${title === '' ? '' : `  ${isStyled ? `\x1b[2m${title}\x1b[22m` : title}`}\n`
}

function pageText(page: Document, job: string): string {
  const front = frontMatterOf(page, { url: addressOf(page), job })
  return `${front}${safeText(page.markdown ?? '')}\n\n`
}

async function copyDownload(path: string, stream: ReadableStream<Uint8Array>): Promise<void> {
  const file = await openAtomicFile(path)
  try {
    for await (const part of stream) await file.write(part)
    await file.commit()
  } catch (thrown) {
    await file.abandon()
    throw thrown
  }
}
