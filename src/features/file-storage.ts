import type { CapturedFile } from '../content/page.ts'
import { AppError } from '../platform/errors.ts'
import { isUuid, newId } from '../platform/ids.ts'
import { createTokenSigner } from '../platform/token-signer.ts'
import { findFile, insertFile } from '../store/files.ts'
import { getInstallationSecret } from '../store/secrets.ts'
import type { Deps } from './needs.ts'

export function createFileStorage(deps: Pick<Deps, 'store' | 'blobs' | 'clock' | 'publicUrl'>) {
  const signer = createTokenSigner(() => getInstallationSecret(deps.store.query, 'files'))
  return {
    async store(teamId: string, file: CapturedFile, hours: number): Promise<string> {
      const id = newId()
      const expires = deps.clock.now() + hours * 3600_000
      const blob = await deps.blobs.put(`files/${id}`, file.bytes)
      const row = { id, team_id: teamId, media_type: file.mediaType, blob, expires_at: expires }
      await insertFile(deps.store.query, row)
      const signature = await signer.sign(`${id} ${expires}`)
      return `${deps.publicUrl()}/v2/files/${id}?expires=${expires}&signature=${signature}`
    },

    async read(id: string, expires: string, signature: string): Promise<CapturedFile> {
      const isWellFormed = isUuid(id) && /^\d{1,15}$/.test(expires)
      const isSigned = isWellFormed && (await signer.verify(`${id} ${Number(expires)}`, signature))
      if (!isSigned || Number(expires) < deps.clock.now()) throw new AppError('FILE_NOT_FOUND')
      const row = await findFile(deps.store.query, id)
      if (!row) throw new AppError('FILE_NOT_FOUND')
      const bytes = await deps.blobs.get(row.blob)
      if (bytes) return { bytes, mediaType: row.media_type }
      // The sweeper may have removed the file since its row was read.
      if (!(await findFile(deps.store.query, id))) throw new AppError('FILE_NOT_FOUND')
      throw new AppError('STORED_DATA_DAMAGED', { reason: 'missing' })
    },
  }
}

export type FileStorage = ReturnType<typeof createFileStorage>
