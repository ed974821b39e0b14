import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { focusHeading } from './focus-heading.ts'

/** Error boundary of a page. The rest of the console still works. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  useEffect(focusHeading, [])
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Page title="This page could not be displayed">
      <div className="stack">
        <ErrorNotice error={error} />
        <p>
          Jobs of the service are not affected. If the service was updated while this window was open, reload
          the console.
        </p>
        <div className="row">
          <Button variant="main" icon="refresh" onClick={retry}>
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
