import { Link } from '@tanstack/react-router'
import { Page } from '../ui/page.tsx'

export function Lost() {
  return (
    <Page title="There is no such page">
      <p>The address may be misspelt, or the page had this address in another version.</p>
      <Link to="/" className="button main">
        To the playground
      </Link>
    </Page>
  )
}
