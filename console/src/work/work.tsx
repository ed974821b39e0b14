import { Page } from '../ui/page.tsx'

export function Work() {
  return <Page title="Work">Not built yet.</Page>
}
