import { afterEach, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import { silentLog } from '../../base/log.ts'
import { learnedPlaces } from './learned-places.ts'

afterEach(endJobScenes)

it('never fails a page when the store cannot be read, nothing can be observed or the row is damaged', async () => {
  const { store, needs } = await jobScene()
  const places = learnedPlaces({ store, clock: needs.clock, log: silentLog })
  const key = { id: 'id', teamId: 'team', host: 'a.example' }
  await expect(
    places.learn(key, () => Promise.reject(new Error('the thread ended'))),
  ).resolves.toBeUndefined()
  await store.query.schema.dropTable('learned').execute()
  expect(await places.find(key)).toBeUndefined()
})
