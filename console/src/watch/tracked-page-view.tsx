import { useId, useState } from 'react'
import { Failure } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { DiffLines } from './diff-lines.tsx'
import { type TrackedPage, useDifference, useVersions, type Version } from './tracked.ts'

/** The versions of a page, and what lies between two of them. */
export function TrackedPageView({ page }: { page: TrackedPage }) {
  const versions = useVersions(page.id)
  const sorted = [...(versions.data ?? [])].sort((left, right) => (left.at < right.at ? 1 : -1))
  return (
    <section className="stack" aria-labelledby="tracked-page">
      <h2 id="tracked-page" className="tracked-url">
        {page.url}
      </h2>
      {/^https?:\/\//i.test(page.url) && (
        <p>
          <a href={page.url} target="_blank" rel="noopener noreferrer nofollow">
            Open the page itself
          </a>
        </p>
      )}
      {versions.isPending && <Loading what="Reading its versions" />}
      {versions.error && <Failure error={versions.error} />}
      {versions.data && sorted.length < 2 && (
        <p className="quiet">
          {sorted.length === 0
            ? 'No version is kept.'
            : 'There is one version; a second one shows what changed.'}
        </p>
      )}
      {sorted.length >= 2 && <Compare id={page.id} versions={sorted} />}
    </section>
  )
}

/** The newest two at first. */
function Compare({ id, versions }: { id: string; versions: Version[] }) {
  const [from, setFrom] = useState(versions[1]?.at ?? '')
  const [to, setTo] = useState(versions[0]?.at ?? '')
  const pair = from < to ? { from, to } : { from: to, to: from }
  const difference = useDifference(id, from === to ? undefined : pair)
  return (
    <>
      <div className="row">
        <VersionChoice name="From" versions={versions} value={from} onChange={setFrom} />
        <VersionChoice name="to" versions={versions} value={to} onChange={setTo} />
      </div>
      {from === to && <p className="quiet">Choose two versions that differ.</p>}
      {difference.isLoading && <Loading what="Comparing" />}
      {difference.error && <Failure error={difference.error} />}
      {difference.data === null && <p className="quiet">Both say the same.</p>}
      {difference.data && <DiffLines text={difference.data.text} />}
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
  versions: Version[]
  value: string
  onChange: (at: string) => void
}) {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {versions.map(({ at, size }) => (
          <option key={at} value={at}>
            {exact.format(new Date(at))} ({size} bytes)
          </option>
        ))}
      </select>
    </>
  )
}
