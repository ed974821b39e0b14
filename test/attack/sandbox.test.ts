import { afterAll, beforeAll } from 'vitest'
import { call } from '../api.ts'
import { attackClass } from './attack.ts'
import { type Hoard, hoards } from './sandbox-hoards.ts'

/** What code may have of memory and files, and what it can take between two looks at it. */
const mostMegabytes = 1024 + 600

let id = ''
beforeAll(async () => {
  id = (await call('POST', '/v2/browser', { body: { ttl: 600 } })).body.id
})
afterAll(() => call('DELETE', `/v2/browser/${id}`))

async function execute(language: string, code: string, timeout = 20) {
  const { status, body } = await call('POST', `/v2/browser/${id}/execute`, {
    body: { language, code, timeout },
  })
  return { status, ...body }
}

attackClass<Hoard>({
  name: 'code that takes memory where nobody looks',
  vectors: hoards,
  async strike({ language, code }) {
    const { stdout = '' } = await execute(language, code)
    const took = Math.max(0, ...[...stdout.matchAll(/^took (\d+)/gm)].map(([, number]) => Number(number)))
    if (took > mostMegabytes) return `it took ${took} MB`
    const after = await execute('bash', 'echo calm')
    return after.stdout === 'calm\n' ? undefined : `the next call answers ${JSON.stringify(after)}`
  },
})
