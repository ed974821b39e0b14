import { Page } from '../ui/page.tsx'

export function Job() {
  return <Page title="Job">Not built yet.</Page>
}
