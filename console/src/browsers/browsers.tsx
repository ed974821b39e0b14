import { Page } from '../ui/page.tsx'

export function Browsers() {
  return <Page title="Browsers">Not built yet.</Page>
}
