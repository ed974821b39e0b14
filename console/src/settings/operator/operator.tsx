import { ErrorNotice } from '../../ui/notice.tsx'
import { useMe } from '../team-queries.ts'
import { Keys } from './keys.tsx'
import { OverviewPanel } from './overview-panel.tsx'
import { Teams } from './teams.tsx'

/** Installation overview, teams and keys. Users without an operator key see a note instead. */
export function Operator() {
  const me = useMe()
  if (me.isPending) return null
  if (me.data?.isOperator) {
    return (
      <>
        <OverviewPanel />
        <Teams />
        <Keys ownHint={me.data.keyHint} />
      </>
    )
  }
  return (
    <section className="panel stack" aria-labelledby="operator">
      <h2 id="operator">Teams and keys</h2>
      {me.error && <ErrorNotice error={me.error} />}
      <p className="quiet">
        You are signed in with a team key. Teams, keys and the state of the installation require an operator
        key. The first one is in the file <code>api-key</code> of the data folder. Create others with{' '}
        <code>npm run key -- create --team NAME --operator</code>.
      </p>
    </section>
  )
}
