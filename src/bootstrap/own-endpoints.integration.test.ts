import { afterEach, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { isPublic } from '../fetch/network/guard.ts'
import { createOwnEndpoints } from '../fetch/network/own-endpoints.ts'
import { silentLog } from '../platform/log.ts'
import { listConfiguredEndpoints, shareListener } from './own-endpoints.ts'
import { readSettings } from './settings.ts'

const unsubscribes: (() => void)[] = []
afterEach(async () => {
  for (const stop of unsubscribes.splice(0)) stop()
  await endJobScenes()
})

it('shares the listeners of all processes with every process, whichever started first', async () => {
  const { store } = await jobScene()
  const processes = [4001, 4002, 4003].map((port) => ({
    port,
    own: createOwnEndpoints([], isPublic, async () => []),
  }))
  for (const { port, own } of processes) {
    const listening = { host: '127.0.0.1', port, peerUrl: `http://127.0.0.1:${port}` }
    unsubscribes.push(await shareListener({ store, own, log: silentLog }, listening))
  }
  const refusedPorts = () =>
    processes.map(({ own }) => [4001, 4002, 4003, 4004].filter((port) => own.rejects('127.0.0.1', 'x', port)))
  await expect.poll(refusedPorts).toEqual([1, 2, 3].map(() => [4001, 4002, 4003]))
})

it('returns the endpoints of all services in the settings', () => {
  const settings = readSettings({
    DATABASE_URL: 'postgres://user:password@db.example/winnow',
    BLOBS_URL: 's3://bucket/prefix?endpoint=https://s3.example:9000&region=x',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    MODEL_URL: 'https://model.example/v1',
    MODEL_KEY: 'key',
    MODEL_NAME: 'name',
    SEARCH_URLS: 'searxng=http://search.example:8888',
    PROXY_BASIC_URL: 'socks5://user:{country}@proxy.example',
  })
  expect(listConfiguredEndpoints(settings)).toEqual([
    { host: 'db.example', port: 5432 },
    { host: 's3.example', port: 9000 },
    { host: 'model.example', port: 443 },
    { host: 'search.example', port: 8888 },
    { host: 'proxy.example', port: 1080 },
  ])
})

it.each([
  ['postgres://user:password@localhost/winnow?host=10.0.0.7', [{ host: '10.0.0.7', port: 5432 }]],
  [
    'postgres://user:password@localhost:1/winnow?host=db.example&port=6432',
    [{ host: 'db.example', port: 6432 }],
  ],
  ['postgres://user:password@localhost/winnow?host=/run/postgresql', []],
  ['postgres://user:password@[fd00::7]:6432/winnow', [{ host: '[fd00::7]', port: 6432 }]],
])('returns the host that the driver of %s connects to', (url, endpoints) => {
  expect(listConfiguredEndpoints(readSettings({ DATABASE_URL: url }))).toEqual(endpoints)
})
