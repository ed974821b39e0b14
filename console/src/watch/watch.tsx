import { useNavigate, useSearch } from '@tanstack/react-router'
import { Tabs } from 'radix-ui'
import { Page } from '../ui/page.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { TrackedPages } from './tracked-pages.tsx'
import './watch.css'

/** What changes outside: pages that are tracked, and events that were sent to others. */
export function Watch() {
  const { show } = useSearch({ from: '/watch' })
  const navigate = useNavigate()
  const choose = (tab: string) =>
    navigate({ to: '/watch', search: tab === 'deliveries' ? { show: 'deliveries' } : {} })
  return (
    <Page title="Watch">
      <Tabs.Root value={show ?? 'pages'} onValueChange={choose}>
        <Tabs.List className="tabs" aria-label="What is watched">
          <Tabs.Trigger value="pages">Tracked pages</Tabs.Trigger>
          <Tabs.Trigger value="deliveries">Webhook deliveries</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="pages">
          <TrackedPages />
        </Tabs.Content>
        <Tabs.Content value="deliveries">
          <DeliveryList />
        </Tabs.Content>
      </Tabs.Root>
    </Page>
  )
}
