import { argument, type Run } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { showPage } from '../output/show-page.ts'
import { addPageRequest } from '../page-request.ts'

export const run: Run = async (context) => {
  addPageRequest(context)
  const url = argument(context, 0)
  const page = await context.winnow.scrape(url, context.body, { signal: context.signal })
  await showPage(context, page, url)
  return exitCodes.done
}
