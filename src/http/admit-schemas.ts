import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import { AppError } from '../base/errors.ts'
import type { NowOrLater } from '../base/functions.ts'
import { isObject } from './tolerated.ts'

interface SchemaCall {
  team: Team
  body: unknown
  /** How the text of an error about the body begins. */
  prefix?: string | undefined
  signal: () => AbortSignal
}

/**
 * Reads each JSON schema of a validated body in a worker thread, before the endpoint runs. Reading one takes work that its size
 * does not show, so neither validation nor a handler may do it on the main thread.
 */
export function admitSchemas(app: Pick<App, 'readSchema'>, call: SchemaCall): NowOrLater<void> {
  const found = schemasIn(call.body)
  if (found.length > 0) return readAll(app, found, call)
}

interface FoundSchema {
  path: (string | number)[]
  schema: object
  /** True if the whole request is about this schema, so it has to name something. */
  isWhole: boolean
}

async function readAll(
  app: Pick<App, 'readSchema'>,
  found: readonly FoundSchema[],
  { team, prefix = '', signal }: SchemaCall,
): Promise<void> {
  for (const { path, schema, isWhole } of found) {
    const read = await app.readSchema(team, schema, signal()).catch((thrown) => {
      throw thrown instanceof AppError && thrown.code === 'BAD_REQUEST' ? at(path, thrown, prefix) : thrown
    })
    if (isWhole && read.asksForNothing)
      throw at(path, new AppError('BAD_REQUEST', {}, { message: nothingAsked }), prefix)
  }
}

const nothingAsked = 'The schema names no properties. Name those that shall be read.'

function at(path: FoundSchema['path'], { message, detail }: AppError, prefix: string): AppError {
  const details = [{ code: 'custom', path, message }]
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  const text = path.length === 1 ? message : `${place.slice(1)}: ${message}`
  return new AppError('BAD_REQUEST', { ...detail, details }, { message: prefix + text })
}

/** A request has a schema of its own, or one in each of its formats, or in those of its pages. */
function schemasIn(body: unknown): FoundSchema[] {
  if (!isObject(body)) return []
  const { schema, formats, scrapeOptions } = body
  return [
    ...(isObject(schema) ? [{ path: ['schema'], schema, isWhole: true }] : []),
    ...ofFormats(formats, ['formats']),
    ...(isObject(scrapeOptions) ? ofFormats(scrapeOptions.formats, ['scrapeOptions', 'formats']) : []),
  ]
}

function ofFormats(formats: unknown, path: FoundSchema['path']): FoundSchema[] {
  if (!Array.isArray(formats)) return []
  return formats.flatMap((format: unknown, index) =>
    isObject(format) && isObject(format.schema)
      ? [{ path: [...path, index, 'schema'], schema: format.schema, isWhole: false }]
      : [],
  )
}
