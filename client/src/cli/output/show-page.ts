import type { Document, ParsedDocument } from '../../types.ts'
import type { Context } from '../command.ts'
import { safeJson, safeText } from '../safe-text.ts'
import { writeAtomically } from './atomic-file.ts'
import { frontMatter } from './front-matter.ts'
import { openPageFolder } from './page-folder.ts'
import { getTarget } from './target.ts'

/** Writes one page or file to the terminal, a pipe, a file or a folder. */
export async function showPage(
  context: Context,
  page: Document | ParsedDocument,
  url: string,
): Promise<void> {
  const { terminal, values } = context
  if (page.warning) terminal.info(`Warning: ${page.warning}`)
  const { statusCode } = page.metadata
  if (typeof statusCode === 'number' && statusCode >= 400) terminal.info(`The site answered ${statusCode}.`)
  const target = getTarget(context)
  if (target.kind === 'folder') {
    const folder = await openPageFolder(target.path, undefined)
    const metadata = { ...page.metadata, sourceURL: page.metadata.sourceURL ?? url }
    const { path } = await folder.write({ ...page, metadata } as Document)
    return terminal.info(`Written to ${path}.`)
  }
  if (target.kind === 'file') {
    await writeAtomically(target.path, fileText(context, page, url))
    return terminal.info(`Written to ${target.path}.`)
  }
  if (values.flags.has('json')) return terminal.print(`${safeJson(page, 2)}\n`)
  const main = findMainText(page)
  if (main === undefined) return terminal.print(`${safeJson(withoutMetadata(page), 2)}\n`)
  if (main.isMarkdown) return terminal.print(`${safeText(main.text).trimEnd()}\n`)
  // The text is written unchanged to a pipe, because a program reads it. A terminal would interpret control characters.
  await terminal.print(`${terminal.isTerminal ? safeText(main.text) : main.text}\n`)
}

function fileText({ values }: Context, page: Document | ParsedDocument, url: string): string {
  if (values.flags.has('json')) return `${JSON.stringify(page, null, 2)}\n`
  const main = findMainText(page)
  if (main === undefined) return `${JSON.stringify(withoutMetadata(page), null, 2)}\n`
  if (!main.isMarkdown) return main.text
  const header = frontMatter(page.metadata, { url, job: undefined, warning: page.warning })
  return `${header}${safeText(main.text)}\n`
}

const textFormats = [
  ['markdown', true],
  ['summary', true],
  ['answer', true],
  ['html', false],
  ['rawHtml', false],
] as const

/** Returns the text of a page if it is the only requested format. */
function findMainText(page: Document | ParsedDocument): { text: string; isMarkdown: boolean } | undefined {
  const rest: Record<string, unknown> = withoutMetadata(page)
  const [name] = Object.keys(rest)
  const format =
    Object.keys(rest).length === 1 ? textFormats.find(([textName]) => textName === name) : undefined
  const text = format && rest[format[0]]
  return format && typeof text === 'string' ? { text, isMarkdown: format[1] } : undefined
}

function withoutMetadata({ metadata: _, warning: __, ...rest }: Document | ParsedDocument) {
  return rest
}
