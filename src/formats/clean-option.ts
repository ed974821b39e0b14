import { type FormatRequest, usesMarkdown } from './index.ts'

interface CleanRequest {
  onlyCleanContent: boolean
  formats: FormatRequest[]
}

/** Whether the Markdown of a call is cleaned, and what its caller should know. The API excludes calls of which nothing is kept. */
export function cleaningOf(
  { onlyCleanContent, formats }: CleanRequest,
  retain: boolean,
): { isCleaned: boolean; warnings: string[] } {
  if (!onlyCleanContent) return { isCleaned: false, warnings: [] }
  const reason = retain
    ? usesMarkdown(formats)
      ? undefined
      : 'none of the requested formats comes from the Markdown'
    : 'it is not supported with zero data retention or lockdown'
  if (reason === undefined) return { isCleaned: true, warnings: [] }
  return { isCleaned: false, warnings: [`onlyCleanContent has no effect: ${reason}.`] }
}
