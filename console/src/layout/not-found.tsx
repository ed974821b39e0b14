import { Link } from '@tanstack/react-router'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <p>The URL may be misspelt, or it belongs to another version of the console.</p>
      <Link to="/" className="button main">
        Open the playground
      </Link>
    </Page>
  )
}
