import { Failure } from '../../ui/notice.tsx'
import { useMe } from '../team-queries.ts'
import { Keys } from './keys.tsx'
import { OverviewPanel } from './overview-panel.tsx'
import { Teams } from './teams.tsx'

/** Whom the installation serves. Others see the reason why it is hidden from them. */
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
      {me.error && <Failure error={me.error} />}
      <p className="quiet">
        Teams, keys and the state of the whole installation are shown to operators. The key of this browser is
        one of a team. Who runs the machine has an operator's key in the file <code>api-key</code> of the data
        folder, and makes others with <code>npm run key -- create --team NAME --operator</code>.
      </p>
    </section>
  )
}
