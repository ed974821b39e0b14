import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { NamedFile } from '../../upload.ts'
import { argument, type Context, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { showPage } from '../output/show-page.ts'
import { addPageRequest } from '../page-request.ts'
import { UsageError } from '../usage-error.ts'

export const run: Run = async (context) => {
  addPageRequest(context)
  const file = await openFile(context)
  const page = await context.winnow.parse(file, context.body, { signal: context.signal })
  await showPage(context, page, file.name)
  return exitCodes.done
}

async function openFile(context: Context): Promise<NamedFile> {
  const path = argument(context, 0)
  const name = context.values.texts.get('name')
  if (path === '-') {
    if (name === undefined)
      throw new UsageError(
        'What comes from standard input has no name. Give one with its ending: --name report.pdf',
      )
    return { data: new Blob([await buffer(process.stdin)]), name }
  }
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile())
    throw new UsageError(`${path} is no file that can be read. A page is read with winnow scrape.`)
  return { data: await openAsBlob(path), name: name ?? basename(path) }
}
