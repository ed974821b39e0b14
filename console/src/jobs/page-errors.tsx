import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { PageError } from '../../../client/src/types.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Empty, Loading } from '../ui/page.tsx'
import { StrangerLink } from '../ui/stranger-link.tsx'
import { inNumbers } from '../ui/units.ts'
import { type ErrorsWanted, usePageErrors } from './use-page-errors.ts'

/** Pages that failed and why, and addresses that were left out and why. */
export function PageErrors(wanted: ErrorsWanted) {
  const { data, error } = usePageErrors(wanted)
  if (error) return <Failure error={error} />
  if (!data) return <Loading />
  const skipped = [
    ...data.robotsBlocked.map((url) => ({ url, reason: 'robots.txt forbids it' })),
    ...(data.skipped ?? []),
  ]
  return (
    <div className="stack">
      {data.errors.length === 0 ? <Empty>No page has failed.</Empty> : <Failed errors={data.errors} />}
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
            {code} × {inNumbers(those.length)}
          </li>
        ))}
      </ul>
      <ul className="plain-list error-list">
        {errors.slice(0, shown).map(({ id, url, code, error }) => (
          <li key={id}>
            <StrangerLink href={url} />
            <p>
              <code>{code}</code> {error}{' '}
              <Link to="/activity/$id" params={{ id }}>
                What happened
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
      <summary>{inNumbers(Math.max(sum, skipped.length))} addresses left out</summary>
      <ul className="plain-list error-list">
        {skipped.slice(0, shown).map(({ url, reason }) => (
          <li key={`${url} ${reason}`}>
            <StrangerLink href={url} /> <span className="badge">{reason}</span>
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
      Show more ({inNumbers(rest)})
    </Button>
  )
}
