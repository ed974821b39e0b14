import { getRouteApi, Link } from '@tanstack/react-router'
import { type Capability, useCapabilities } from '../api/capabilities.ts'
import { useOpenApi } from '../api/openapi.ts'
import { Failure, Notice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { CallPage } from './call-page.tsx'
import { calls } from './calls.ts'
import './playground.css'
import './form/form.css'
import './response/response.css'

const route = getRouteApi('/playground/$call')

/** Every call of the service, to be tried. */
export function Playground() {
  const { call: name } = route.useParams()
  const { request } = route.useSearch()
  const openApi = useOpenApi()
  const capabilities = useCapabilities()
  const features = capabilities.data?.features ?? []
  const call = calls.find((one) => one.name === name)
  return (
    <Page title="Playground">
      <nav className="calls" aria-label="Calls">
        {calls.map((one) => (
          <Link
            key={one.name}
            to="/playground/$call"
            params={{ call: one.name }}
            activeOptions={{ includeSearch: false }}
          >
            {one.title}
          </Link>
        ))}
      </nav>
      {(openApi.isPending || capabilities.isPending) && <Loading what="Loading calls" />}
      {openApi.error && <Failure error={openApi.error} />}
      {openApi.data && !capabilities.isPending && call && (
        <>
          <Missing feature={features.find((one) => one.name === call.feature)} />
          <CallPage
            key={`${name} ${request ?? ''}`}
            call={call}
            openApi={openApi.data}
            features={features}
            wanted={request}
          />
        </>
      )}
      {openApi.data && !call && <Empty>Unknown call. Choose one above.</Empty>}
    </Page>
  )
}

/** Says before the first try that a call cannot work here, and what would change that. */
function Missing({ feature }: { feature: Capability | undefined }) {
  if (!feature || feature.available) return null
  return (
    <div className="missing">
      <Notice kind="warning">
        This call is not available on this installation: {feature.note}.
        {feature.enable !== undefined && ` To enable it: ${feature.enable}.`}
      </Notice>
    </div>
  )
}
