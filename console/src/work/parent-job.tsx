import { Page } from '../ui/page.tsx'

export function ParentJob() {
  return <Page title="ParentJob">Not built yet.</Page>
}
