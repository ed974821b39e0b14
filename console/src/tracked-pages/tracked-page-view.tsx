import { useId, useState } from 'react'
import type { PageVersion, TrackedPage } from '../../../client/src/types.ts'
import { Failure } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { DiffLines } from './diff-lines.tsx'
import { useDifference, useVersions } from './tracked-queries.ts'

/** The versions of a page, and what lies between two of them. */
export function TrackedPageView({ page }: { page: TrackedPage }) {
  const versions = useVersions(page.id)
  const kept = versions.data ?? []
  return (
    <section className="stack" aria-labelledby="tracked-page">
      <h2 id="tracked-page" className="tracked-url">
        {page.url}
      </h2>
      {/^https?:\/\//i.test(page.url) && (
        <p>
          <a href={page.url} target="_blank" rel="noopener noreferrer nofollow">
            Open page
          </a>
        </p>
      )}
      {versions.isPending && <Loading what="Loading versions" />}
      {versions.error && <Failure error={versions.error} />}
      {versions.data && kept.length < 2 && (
        <p className="quiet">
          {kept.length === 0
            ? 'No stored versions.'
            : 'Only one version is stored. Changes appear with the second.'}
        </p>
      )}
      {kept.length >= 2 && <Compare id={page.id} versions={kept} />}
    </section>
  )
}

/** The newest two at first. Whichever is chosen where, the older one is compared with the newer one. */
function Compare({ id, versions }: { id: string; versions: PageVersion[] }) {
  const [from, setFrom] = useState(versions[1]?.id ?? '')
  const [to, setTo] = useState(versions[0]?.id ?? '')
  const place = (version: string) => versions.findIndex((one) => one.id === version)
  const pair = place(from) > place(to) ? { from, to } : { from: to, to: from }
  const { data, error, isLoading } = useDifference(id, from === to ? undefined : pair)
  return (
    <>
      <div className="compare">
        <VersionChoice name="From" versions={versions} value={from} onChange={setFrom} />
        <VersionChoice name="To" versions={versions} value={to} onChange={setTo} />
      </div>
      {from === to && <p className="quiet">Select two different versions.</p>}
      {isLoading && <Loading what="Loading changes" />}
      {error && <Failure error={error} />}
      {data?.isSame && <p className="quiet">The versions differ in white space only.</p>}
      {data?.diff !== undefined && <DiffLines text={data.diff} />}
    </>
  )
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

function VersionChoice({
  name,
  versions,
  value,
  onChange,
}: {
  name: string
  versions: PageVersion[]
  value: string
  onChange: (id: string) => void
}) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {versions.map((version) => (
          <option key={version.id} value={version.id}>
            {exact.format(new Date(version.at))}
            {version.size !== null && ` (${version.size} bytes)`}
          </option>
        ))}
      </select>
    </>
  )
}
