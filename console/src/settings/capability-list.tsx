import { type Capability, useCapabilities } from '../api/capabilities.ts'
import { Icon } from '../ui/icon.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Loading } from '../ui/page.tsx'

/** Features of this installation. Unavailable features come first, with the setting that enables each. */
export function CapabilityList() {
  const { data, error, isPending } = useCapabilities()
  const missing = data?.features.filter((feature) => !feature.available) ?? []
  const working = data?.features.filter((feature) => feature.available) ?? []
  return (
    <section className="panel stack" aria-labelledby="capabilities">
      <h2 id="capabilities">Capabilities</h2>
      {isPending && <Loading label="Loading capabilities" />}
      {error && <ErrorNotice error={error} />}
      {missing.length > 0 && <h3>Not configured</h3>}
      <FeatureList features={missing} />
      {working.length > 0 && <h3>Available</h3>}
      <FeatureList features={working} />
    </section>
  )
}

function FeatureList({ features }: { features: Capability[] }) {
  if (features.length === 0) return null
  return (
    <ul className="features">
      {features.map(({ name, available, note, enable }) => (
        <li key={name} className={available ? 'good' : 'missing'}>
          <Icon name={available ? 'check' : 'close'} />
          <div>
            <strong>{name}</strong> <span className="quiet">{note}</span>
            {enable !== undefined && (
              <div>
                To enable: <code>{enable}</code>
              </div>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}
