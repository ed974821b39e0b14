import { Page } from '../ui/page.tsx'

export function Activity() {
  return <Page title="Activity">Not built yet.</Page>
}
