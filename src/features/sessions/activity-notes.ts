import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/schema.ts'
import { noteActivity, type SessionRow } from '../../store/sessions.ts'
import type { LivingSession } from './living.ts'

/** How often the store records when a session was last used. */
const noteEvery = 2000

/** Tells the store now and then when a session was last used. Answers how to stop. */
export function noteActivities(
  { store, log }: { store: Store; log: Log },
  session: SessionRow,
  started: Pick<LivingSession, 'lastActivity'>,
): () => void {
  let noted = session.last_activity
  const timer = setInterval(() => {
    const at = started.lastActivity()
    if (at === noted) return
    noted = at
    noteActivity(store.query, session.id, at).catch((cause) =>
      log.warn({ cause }, 'the last use of a session could not be noted'),
    )
  }, noteEvery)
  return () => clearInterval(timer)
}
