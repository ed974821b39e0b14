import { Page } from '../ui/page.tsx'

export function Watch() {
  return <Page title="Watch">Not built yet.</Page>
}
