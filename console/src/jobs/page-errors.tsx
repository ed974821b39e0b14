import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PageError } from '../../../client/src/types.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Empty, Loading } from '../ui/page.tsx'
import { formatCount } from '../ui/units.ts'
import { UntrustedLink } from '../ui/untrusted-link.tsx'
import { type ErrorsQuery, usePageErrors } from './use-page-errors.ts'

/** Pages that failed and why, and addresses that were left out and why. */
export function PageErrors(wanted: ErrorsQuery) {
  const { data, error } = usePageErrors(wanted)
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const skipped = [
    ...data.robotsBlocked.map((url) => ({ url, reason: 'disallowed by robots.txt' })),
    ...(data.skipped ?? []),
  ]
  return (
    <div className="stack">
      {data.errors.length === 0 ? <Empty>No failed pages.</Empty> : <Failed errors={data.errors} />}
      {skipped.length > 0 && <LeftOut skipped={skipped} counts={data.summary?.skipped ?? {}} />}
    </div>
  )
}

const atOnce = 100

function Failed({ errors }: { errors: PageError[] }) {
  const [shown, setShown] = useState(atOnce)
  const codes = Map.groupBy(errors, ({ code }) => code)
  return (
    <>
      <ul className="row plain-list" aria-label="Reasons">
        {[...codes].map(([code, those]) => (
          <li key={code} className="badge bad">
            {code} × {formatCount(those.length)}
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
      <More rest={errors.length - shown} onMore={() => setShown(shown + atOnce)} />
    </>
  )
}

interface LeftOutProps {
  skipped: { url: string; reason: string }[]
  counts: Record<string, number>
}

function LeftOut({ skipped, counts }: LeftOutProps) {
  const [shown, setShown] = useState(atOnce)
  const sum = Object.values(counts).reduce((before, count) => before + count, 0)
  return (
    <details>
      <summary>{formatCount(Math.max(sum, skipped.length))} URLs skipped</summary>
      <ul className="plain-list error-list">
        {skipped.slice(0, shown).map(({ url, reason }) => (
          <li key={`${url} ${reason}`}>
            <UntrustedLink href={url} /> <span className="badge">{reason}</span>
          </li>
        ))}
      </ul>
      <More rest={skipped.length - shown} onMore={() => setShown(shown + atOnce)} />
    </details>
  )
}

function More({ rest, onMore }: { rest: number; onMore: () => void }) {
  if (rest <= 0) return null
  return (
    <Button icon="more" onClick={onMore}>
      Show more ({formatCount(rest)})
    </Button>
  )
}
