import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PageError } from '../../../client/src/types.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Empty, Loading } from '../ui/page.tsx'
import { formatCount } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'
import { type ErrorsQuery, usePageErrors } from './use-page-errors.ts'

/** Failed pages and skipped URLs of a job, with the reasons. */
export function PageErrors(query: ErrorsQuery) {
  const { data, error } = usePageErrors(query)
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const skipped = [
    ...data.robotsBlocked.map((url) => ({ url, reason: 'disallowed by robots.txt' })),
    ...(data.skipped ?? []),
  ]
  return (
    <div className="stack">
      {data.errors.length === 0 ? <Empty>No failed pages.</Empty> : <FailedPages errors={data.errors} />}
      {skipped.length > 0 && <SkippedUrls skipped={skipped} counts={data.summary?.skipped ?? {}} />}
    </div>
  )
}

const pageSize = 100

function FailedPages({ errors }: { errors: PageError[] }) {
  const [shown, setShown] = useState(pageSize)
  const codes = Map.groupBy(errors, ({ code }) => code)
  return (
    <>
      <ul className="row plain-list" aria-label="Reasons">
        {[...codes].map(([code, group]) => (
          <li key={code} className="badge bad">
            {code} × {formatCount(group.length)}
          </li>
        ))}
      </ul>
      <ul className="plain-list error-list">
        {errors.slice(0, shown).map(({ id, url, code, error }) => (
          <li key={id}>
            <UntrustedLink href={url} />
            <p>
              <code>{code}</code> {error}{' '}
              <Link to="/activity/$id" params={{ id }}>
                View trace
              </Link>
            </p>
          </li>
        ))}
      </ul>
      <ShowMoreButton rest={errors.length - shown} onMore={() => setShown(shown + pageSize)} />
    </>
  )
}

interface SkippedUrlsProps {
  skipped: { url: string; reason: string }[]
  counts: Record<string, number>
}

function SkippedUrls({ skipped, counts }: SkippedUrlsProps) {
  const [shown, setShown] = useState(pageSize)
  const skippedCount = Object.values(counts).reduce((total, count) => total + count, 0)
  return (
    <details>
      <summary>{formatCount(Math.max(skippedCount, skipped.length))} URLs skipped</summary>
      <ul className="plain-list error-list">
        {skipped.slice(0, shown).map(({ url, reason }) => (
          <li key={`${url} ${reason}`}>
            <UntrustedLink href={url} /> <span className="badge">{reason}</span>
          </li>
        ))}
      </ul>
      <ShowMoreButton rest={skipped.length - shown} onMore={() => setShown(shown + pageSize)} />
    </details>
  )
}

function ShowMoreButton({ rest, onMore }: { rest: number; onMore: () => void }) {
  if (rest <= 0) return null
  return (
    <Button icon="more" onClick={onMore}>
      Show more ({formatCount(rest)})
    </Button>
  )
}
