import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { focusHeading } from './focus-heading.ts'

/** Stands in for a page that could not be shown. The rest of the console goes on. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(focusHeading, [])
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title="This page could not be displayed">
      <div className="stack">
        <Failure error={error} />
        <p>
          Nothing that runs in the service is affected. Where the service was updated while this window was
          open, loading it again helps.
        </p>
        <div className="row">
          <Button look="main" icon="again" onClick={again}>
            Try again
          </Button>
          <Button onClick={() => location.reload()}>Reload the console</Button>
          <Link to="/" className="button">
            Open the playground
          </Link>
        </div>
      </div>
    </Page>
  )
}
