import { useId, useState } from 'react'
import type { PageVersion, TrackedPage } from '../../../client/src/types.ts'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { DiffLines } from './diff-lines.tsx'
import { useDifference, useVersions } from './tracked-queries.ts'

/** Versions of a tracked page, and the diff of two of them. */
export function TrackedPageView({ page }: { page: TrackedPage }) {
  const versions = useVersions(page.id)
  const versionList = versions.data ?? []
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
      {versions.isPending && <Loading label="Loading versions" />}
      {versions.error && <ErrorNotice error={versions.error} />}
      {versions.data && versionList.length < 2 && (
        <p className="quiet">
          {versionList.length === 0
            ? 'No stored versions.'
            : 'Only one version is stored. Changes appear with the second.'}
        </p>
      )}
      {versionList.length >= 2 && <Compare id={page.id} versions={versionList} />}
    </section>
  )
}

/** Compares two versions, at first the newest two. The diff is always from the older to the newer version. */
function Compare({ id, versions }: { id: string; versions: PageVersion[] }) {
  const [from, setFrom] = useState(versions[1]?.id ?? '')
  const [to, setTo] = useState(versions[0]?.id ?? '')
  const indexOf = (versionId: string) => versions.findIndex((version) => version.id === versionId)
  const pair = indexOf(from) > indexOf(to) ? { from, to } : { from: to, to: from }
  const { data, error, isLoading } = useDifference(id, from === to ? undefined : pair)
  return (
    <>
      <div className="compare">
        <VersionChoice name="From" versions={versions} value={from} onChange={setFrom} />
        <VersionChoice name="To" versions={versions} value={to} onChange={setTo} />
      </div>
      {from === to && <p className="quiet">Select two different versions.</p>}
      {isLoading && <Loading label="Loading changes" />}
      {error && <ErrorNotice error={error} />}
      {data?.isSame && <p className="quiet">The versions differ at most in white space.</p>}
      {data?.diff !== undefined && <DiffLines text={data.diff} />}
    </>
  )
}

const dateTimeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

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
            {dateTimeFormat.format(new Date(version.at))}
            {version.size !== null && ` (${version.size} bytes)`}
          </option>
        ))}
      </select>
    </>
  )
}
