import { Page } from '../ui/page.tsx'

export function Playground() {
  return <Page title="Playground">Not built yet.</Page>
}
