import { dirname } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { attackClass } from './attack.ts'
import { attempts } from './sandbox-calls.ts'
import { type MemoryVector, memoryHoards } from './sandbox-hoards.ts'

/** Bound for memory and files of code, plus the amount that code can allocate between two measurements. */
const maxMegabytes = 1024 + 700
/** The service has no allowed private network, so that every connection counts as harm. */
let service: OwnService
let id = ''
beforeAll(async () => {
  service = await startOwnService({ ALLOW_PRIVATE_NETWORK: '', RATE_PER_MINUTE: '100000' })
  id = (await service.call('POST', '/v2/browser', { body: { ttl: 900 } })).body.id
})
afterAll(() => service.remove())

async function execute(language: string, code: string, timeout = 20) {
  const path = `/v2/browser/${id}/execute`
  const { status, body } = await service.call('POST', path, { body: { language, code, timeout } })
  return { status, ...body }
}

/** Returns undefined if the session still runs code and the service still responds, otherwise the harm. */
async function findHarm(): Promise<string | undefined> {
  const after = await execute('bash', 'echo calm')
  if (after.stdout !== 'calm\n') return `the next call answers ${JSON.stringify(after)}`
  const { status } = await service.call('GET', '/health/live', { key: null })
  return status === 200 ? undefined : `health answers ${status}`
}

const { environment, key } = inject('deployment')
// A Node.js of the system is visible in the sandbox under the same path.
const ownNode = process.execPath.startsWith('/usr/') ? [] : [dirname(process.execPath)]

attackClass({
  name: 'code that wants to leave its sandbox',
  vectors: attempts({
    words: [dirname(dirname(import.meta.dirname)), environment.DATA_DIR ?? key, key, ...ownNode],
    port: Number(new URL(inject('deployment').urls[0] ?? '').port),
  }),
  short: 24,
  async run({ language, code }) {
    const { status, stdout = '', stderr = '', result } = await execute(language, code)
    if (status !== 200) return `it is answered ${status}`
    if (/(Syntax|Name|Type|Key|Reference)Error/.test(stderr)) return `it is no attack: ${stderr}`
    return `${stdout}${result ?? ''}`.includes('HIT') ? stdout.slice(0, 300) : undefined
  },
})

attackClass<MemoryVector>({
  name: 'code that takes memory where nobody looks',
  vectors: memoryHoards,
  short: 5,
  async run({ language, code }) {
    const { stdout = '' } = await execute(language, code)
    // Kill processes of this vector, which would otherwise still run and print in the next one.
    await execute('bash', 'kill -9 -1')
    const took = Math.max(0, ...[...stdout.matchAll(/^took (\d+)/gm)].map(([, number]) => Number(number)))
    return took > maxMegabytes ? `it took ${took} MB` : findHarm()
  },
})

attackClass({
  name: 'code that does not end',
  vectors: [
    { language: 'bash', code: 'bomb() { bomb | bomb & }; bomb; sleep 60' },
    { language: 'bash', code: 'trap "" TERM INT HUP; (setsid sleep 1000 &); while :; do :; done' },
    { language: 'node', code: 'while (true) {}' },
    { language: 'node', code: 'await new Promise(() => {})' },
    { language: 'node', code: '/^(a+)+$/.test("a".repeat(50) + "b")' },
    { language: 'bash', code: 'kill -9 -1; sleep 60' },
    { language: 'bash', code: 'kill -STOP $PPID; sleep 60' },
  ],
  short: 2,
  async run({ language, code }) {
    await execute(language, code, 2)
    return findHarm()
  },
})
