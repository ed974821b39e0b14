import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { getSigningSecret } from './secrets.ts'
import { changeTeam } from './teams.ts'

afterEach(endJobScenes)

const fallback = 'secret of the installation'

async function scene() {
  const { store, team } = await jobScene()
  const [first, second] = [await team('first'), await team('second')]
  const secretOf = ({ id }: { id: string }, webhookSecret: string | undefined = fallback) =>
    getSigningSecret(store.query, id, webhookSecret)
  return { store, first, second, secretOf }
}

describe('signingSecret', () => {
  it('is WEBHOOK_SECRET for the first team and derived from it for another team', async () => {
    const { first, second, secretOf } = await scene()
    expect(await secretOf(first)).toEqual({ secret: fallback, source: 'shared' })
    const derived = createHmac('sha256', fallback).update(second.id).digest('hex')
    expect(await secretOf(second)).toEqual({ secret: derived, source: 'derived' })
  })

  it('does not change for the second team when the first one is deleted', async () => {
    const { store, first, second, secretOf } = await scene()
    const before = await secretOf(second)
    await store.query.updateTable('teams').set({ deleted_at: 1 }).where('id', '=', first.id).execute()
    expect(await secretOf(second)).toEqual(before)
  })

  it("is the team's own secret if there is one", async () => {
    const { store, second, secretOf } = await scene()
    await changeTeam(store.query, second.id, { webhook_secret: 'its own' })
    const own = { secret: 'its own', source: 'own' }
    expect(await secretOf(second)).toEqual(own)
    expect(await getSigningSecret(store.query, second.id, undefined)).toEqual(own)
  })

  it('is undefined without any secret', async () => {
    const { store, first } = await scene()
    expect(await getSigningSecret(store.query, first.id, undefined)).toBeUndefined()
  })
})
