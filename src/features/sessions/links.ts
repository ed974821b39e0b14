import { tokenSigner } from '../../base/token-signer.ts'
import type { Store } from '../../store/schema.ts'
import { installationSecret } from '../../store/secrets.ts'
import type { SessionRow } from '../../store/sessions.ts'

/** What the bearer of an address may do: speak DevTools, look, or look and steer. */
export type Purpose = 'cdp' | 'view' | 'control'

/**
 * The addresses of a session carry their right in themselves, since neither DevTools clients nor frames in a page send a
 * key. A token is derived from the id and a secret of the installation: every process can check it, and none is stored.
 */
export function sessionLinks(needs: { store: Store; publicUrl: () => string }) {
  const signer = tokenSigner(() => installationSecret(needs.store.query, 'sessions'))
  const tokenFor = (purpose: Purpose, id: string) => signer.sign(`${purpose} ${id}`)
  return {
    async addressesOf(session: Pick<SessionRow, 'id' | 'stream_web_view'>) {
      const { id } = session
      const url = needs.publicUrl()
      const view = `${url}/live/${id}?token=`
      const isShown = session.stream_web_view === 1
      return {
        cdpUrl: `${url.replace(/^http/, 'ws')}/cdp/${id}?token=${await tokenFor('cdp', id)}`,
        liveViewUrl: isShown ? `${view}${await tokenFor('view', id)}` : '',
        interactiveLiveViewUrl: isShown ? `${view}${await tokenFor('control', id)}&interactive=true` : '',
      }
    },

    isGenuine: (purpose: Purpose, id: string, token: string): Promise<boolean> =>
      signer.isGenuine(`${purpose} ${id}`, token),
  }
}

export type SessionLinks = ReturnType<typeof sessionLinks>
