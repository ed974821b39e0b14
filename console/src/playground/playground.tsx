import { getRouteApi, Link } from '@tanstack/react-router'
import { useOpenApi } from '../api/openapi.ts'
import { Failure } from '../ui/notice.tsx'
import { Empty, Loading, Page } from '../ui/page.tsx'
import { CallPage } from './call-page.tsx'
import { calls } from './calls.ts'
import './playground.css'
import './form/form.css'
import './answer/answer.css'

const route = getRouteApi('/playground/$call')

/** Every call of the service, to be tried. */
export function Playground() {
  const { call: name } = route.useParams()
  const { request } = route.useSearch()
  const openApi = useOpenApi()
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
      {openApi.isPending && <Loading what="Reading what the service can do" />}
      {openApi.error && <Failure error={openApi.error} />}
      {openApi.data && call && (
        <CallPage key={`${name} ${request ?? ''}`} call={call} openApi={openApi.data} wanted={request} />
      )}
      {openApi.data && !call && <Empty>There is no call of this name. Choose one above.</Empty>}
    </Page>
  )
}
