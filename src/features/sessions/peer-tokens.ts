import { AppError } from '../../base/errors.ts'
import { tokenSigner } from '../../base/token-signer.ts'
import type { Holder } from '../../jobs/holder.ts'
import type { Store } from '../../store/schema.ts'
import { installationSecret } from '../../store/secrets.ts'

/** Tokens that processes of one installation show to each other: that one of them speaks, and to which one. */
export function peerTokens(needs: { store: Store; holder: Pick<Holder, 'id'> }) {
  const signer = tokenSigner(() => installationSecret(needs.store.query, 'peers'))
  return {
    tokenFor: (holder: string) => signer.sign(holder),
    /** Throws for a caller that is not another process of the installation. */
    async mustBePeer(token: string): Promise<void> {
      if (!(await signer.isGenuine(needs.holder.id, token))) throw new AppError('UNAUTHORIZED')
    },
  }
}

export type PeerTokens = ReturnType<typeof peerTokens>
