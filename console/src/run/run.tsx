import { Page } from '../ui/page.tsx'

export function Run() {
  return <Page title="Run">Not built yet.</Page>
}
