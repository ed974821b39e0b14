import { argumentsAt, type Run } from '../command.ts'
import { jsonOrFile, setField } from '../request.ts'
import { startJob } from '../start-job.ts'
import { UsageError } from '../usage-error.ts'
import { extractTarget, watchExtract } from '../watch-extract.ts'

export const run: Run = async (context) => {
  const { body, values, winnow } = context
  extractTarget(context)
  const schema = values.texts.get('schema')
  if (schema !== undefined) setField(body, 'schema', jsonOrFile(schema, '--schema'))
  const urls = argumentsAt(context, 0)
  if (urls.length === 0 && !('prompt' in body) && !('urls' in body))
    throw new UsageError('Name pages to read, or say with --prompt what to look for.')
  const job = await startJob(context, 'extract', (start) => winnow.startExtract(urls, body, start))
  return watchExtract(context, job)
}
