import { AppError } from '../../base/errors.ts'
import { type GivenSearch, type SearchRequest, type SourceOptions, sourceNames } from './schema.ts'

/** The request without sources that only the hosted service has, and notes about them for its caller. */
export function withoutAbsentSources(given: GivenSearch): { request: SearchRequest; notes: string[] } {
  const sources = given.sources.filter(isServed)
  const absent = given.sources.filter((source) => !isServed(source)).map(({ type }) => type)
  if (absent.length === 0) return { request: { ...given, sources }, notes: [] }
  const message = `Not available here: the source ${absent.join(', ')}.`
  if (sources.length > 0) return { request: { ...given, sources }, notes: [message] }
  throw new AppError(
    'OPTION_NOT_AVAILABLE',
    { option: 'sources' },
    { message: `${message} Ask for ${sourceNames.join(', ')}.` },
  )
}

function isServed(source: GivenSearch['sources'][number]): source is SourceOptions {
  return sourceNames.some((name) => name === source.type)
}
