import { useCapabilities } from '../api/capabilities.ts'
import { Icon } from '../ui/icon.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'
import { useHealth } from './team-queries.ts'

export function HealthParts() {
  const { data, error, isPending } = useHealth()
  const version = useCapabilities().data?.version
  return (
    <section className="panel stack" aria-labelledby="health">
      <h2 id="health">Health</h2>
      {isPending && <Loading label="Checking health" />}
      {error && <ErrorNotice error={error} />}
      {data && (
        <>
          <p className="figure">{data.status === 'ready' ? 'Ready' : 'Not ready'}</p>
          <HealthList parts={data.parts} />
        </>
      )}
      {version !== undefined && <p className="quiet">Winnow {version}</p>}
    </section>
  )
}

export function HealthList({ parts }: { parts: Record<string, string> }) {
  return (
    <ul className="health-list">
      {Object.entries(parts).map(([part, state]) => (
        <li key={part} className={state === 'ok' ? 'good' : 'bad'}>
          <Icon name={state === 'ok' ? 'check' : 'warn'} /> {part}
          {state === 'ok' ? <span className="hidden">works</span> : `: ${state}`}
        </li>
      ))}
    </ul>
  )
}
