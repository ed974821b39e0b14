import { JsonText } from '../../base/json-text.ts'
import type { KeptPage } from './cache.ts'
import type { ReadPage } from './read-page.ts'
import type { RenderedPage } from './render-page.ts'
import type { Walk } from './walk.ts'

/** What a scrape notes of itself, step by step. */

export function notePlan({ job, plan, deadline }: Walk): void {
  const { fetch, cache, content } = plan
  job.trace.note({
    step: 'plan',
    formats: job.input.formats.map(({ type }) => type),
    cache: cache.read ? (cache.fetchOnMiss ? 'read' : 'only') : 'not read',
    keeps: cache.write,
    proxy: fetch.proxy,
    timeoutMs: deadline.remaining(),
    ...(fetch.browserReason === undefined ? {} : { browserFor: fetch.browserReason }),
    onlyMainContent: content.onlyMainContent,
    includeTags: content.includeTags.length,
    excludeTags: content.excludeTags.length,
    waitForMs: fetch.waitFor,
    actions: fetch.actions.length,
  })
}

export function noteCache({ job, plan }: Walk, kept: KeptPage | undefined): void {
  if (!plan.cache.read) return
  job.trace.note(
    kept
      ? { step: 'cache', result: 'hit', fetchedAt: kept.page.fetchedAt }
      : { step: 'cache', result: 'miss' },
  )
}

export function noteRead({ job, wishes }: Walk, { content, file }: ReadPage): void {
  if (file || !wishes.account) return
  const { whole, kept, leftOut } = content.account()
  job.trace.note({ step: 'read', pageCharacters: whole, keptCharacters: kept, leftOut })
}

export function noteWritten(
  { job }: Walk,
  { fields }: Pick<RenderedPage, 'fields'>,
  { ms, warnings }: { ms: number; warnings: string[] },
): void {
  const { markdown } = fields
  const length =
    typeof markdown === 'string' ? markdown.length : markdown instanceof JsonText ? markdown.size : undefined
  job.trace.note({
    step: 'write',
    ms,
    ...(length === undefined ? {} : { markdownCharacters: length }),
    warnings,
  })
}
