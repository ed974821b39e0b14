import type { SearchResult } from '../../method-types.ts'
import type { Document } from '../../types.ts'
import { argumentsAt, type Context, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeAtomically } from '../output/atomic-file.ts'
import { openPageFolder } from '../output/page-folder.ts'
import { getTarget } from '../output/target.ts'
import { setField } from '../request.ts'
import { safeJson, safeLine, safeText } from '../safe-text.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  const { winnow, terminal, values, body, signal } = context
  const target = getTarget(context)
  if (values.flags.has('scrape')) setField(body, 'scrapeOptions.formats', ['markdown'])
  else if (target.kind === 'folder' && !('scrapeOptions' in body))
    throw new UsageError('A folder gets the pages of the results. Add --scrape, or name a file.')
  const results = await winnow.search(argumentsAt(context, 0).join(' '), body, { signal })
  if (results.warning) terminal.info(`Warning: ${results.warning}`)
  if (target.kind === 'folder') await writePages(context, results, target.path)
  else if (target.kind === 'file') {
    const text = values.flags.has('json')
      ? `${JSON.stringify(results, null, 2)}\n`
      : safeText(toMarkdown(results))
    await writeAtomically(target.path, text)
    terminal.info(`Written to ${target.path}.`)
  } else if (values.flags.has('json')) await terminal.print(`${safeJson(results, 2)}\n`)
  else await terminal.print(safeText(toMarkdown(results)))
  if (listResults(results).length === 0) terminal.info('Nothing was found. Try other words, or fewer.')
  return exitCodes.done
}

interface Result {
  url?: string
  imageUrl?: string
  title?: string
  description?: string
  snippet?: string
  date?: string
  markdown?: string
  metadata?: unknown
}

const listResults = ({ web = [], news = [], images = [] }: SearchResult): Result[] => [
  ...web,
  ...news,
  ...images,
]

function toMarkdown(results: SearchResult): string {
  const items = listResults(results).map((result, index) => {
    const resultUrl = result.url ?? result.imageUrl ?? ''
    const title = safeLine(result.title ?? resultUrl).replaceAll(/[\\[\]]/g, '\\$&')
    const summary = safeLine([result.date, result.description ?? result.snippet].filter(Boolean).join(': '))
    const lines = [
      `${index + 1}. [${title}](<${resultUrl.replaceAll(/[<>\s]/g, encodeURIComponent)}>)`,
      ...(summary ? [`   ${summary}`] : []),
    ]
    return lines.join('\n')
  })
  const pages = listResults(results).flatMap(({ url, markdown }) =>
    markdown ? [`\n---\n\n<${url}>\n\n${markdown}`] : [],
  )
  return `${[...items, ...pages].join('\n')}\n`
}

async function writePages({ terminal }: Context, results: SearchResult, path: string): Promise<void> {
  const folder = await openPageFolder(path, undefined)
  const pages = listResults(results).filter((result) => result.markdown !== undefined)
  for (const page of pages) {
    const metadata = { sourceURL: page.url, title: page.title, ...(page.metadata as object | undefined) }
    // A scraped result has the fields of a document.
    await folder.write({ ...page, metadata } as unknown as Document)
  }
  terminal.info(`${pages.length} of ${listResults(results).length} results written to ${path}.`)
}
