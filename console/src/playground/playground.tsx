import { getRouteApi, Link } from '@tanstack/react-router'
import { type Capability, useCapabilities } from '../api/capabilities.ts'
import { useOpenApi } from '../api/openapi.ts'
import { ErrorNotice, Notice } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { CallPage } from './call-page.tsx'
import { calls } from './calls.ts'
import './playground.css'
import './form/form.css'
import './response/response.css'

const route = getRouteApi('/playground/$call')

/** The playground: a form for each call of the service. */
export function Playground() {
  const { call: name } = route.useParams()
  const { request } = route.useSearch()
  const openApi = useOpenApi()
  const capabilities = useCapabilities()
  const features = capabilities.data?.features ?? []
  const call = calls.find((item) => item.name === name)
  return (
    <Page title="Playground">
      <nav className="calls" aria-label="Calls">
        {calls.map((item) => (
          <Link
            key={item.name}
            to="/playground/$call"
            params={{ call: item.name }}
            activeOptions={{ includeSearch: false }}
          >
            {item.title}
          </Link>
        ))}
      </nav>
      {(openApi.isPending || capabilities.isPending) && <Loading label="Loading calls" />}
      {openApi.error && <ErrorNotice error={openApi.error} />}
      {openApi.data && !capabilities.isPending && call && (
        <>
          <UnavailableWarning feature={features.find((item) => item.name === call.feature)} />
          <CallPage
            key={`${name} ${request ?? ''}`}
            call={call}
            openApi={openApi.data}
            features={features}
            encodedRequest={request}
          />
        </>
      )}
      {openApi.data && !call && <Empty>Unknown call. Choose one above.</Empty>}
    </Page>
  )
}

/** Warns that the call is unavailable on this installation, and shows the setting that enables it. */
function UnavailableWarning({ feature }: { feature: Capability | undefined }) {
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
