import { describe, expect, it } from 'vitest'
import { AppError } from '../../base/errors.ts'
import { type PeerAnswer, PeerGone, PeerUnreachable } from '../../network/peer.ts'
import { asAnswer, askPeer } from './ask-peer.ts'

const session = { id: 'one', home: 'http://other:3002', holder: 'other' }

/** Asks a process that gives this answer, and says what it was asked. */
async function ask(answer: PeerAnswer) {
  const asked: unknown[] = []
  const peers = {
    async post(...call: unknown[]) {
      asked.push(...call.slice(0, 3))
      return answer
    },
    close: async () => undefined,
  }
  const tokens = { tokenFor: async (holder: string) => `for ${holder}` }
  const end = { name: 'end' as const, input: {} }
  const output = askPeer({ peers, tokens }, session, end, new AbortController().signal)
  return { output: await output.catch((thrown) => thrown), asked }
}

describe('asking a session in another process', () => {
  it('names the call and shows a token for that process', async () => {
    const { output, asked } = await ask({ status: 200, body: { success: true, output: null } })
    expect(output).toBeNull()
    expect(asked).toEqual([
      { url: 'http://other:3002', token: 'for other' },
      '/internal/sessions/one/end',
      {},
    ])
  })

  it.each([
    ['an error as it is', 'INTERACT_TIMEOUT', 'INTERACT_TIMEOUT'],
    ['an unknown error as our own', 'NO_SUCH_CODE', 'INTERNAL'],
    ['another process in its place as the end of the session', 'UNAUTHORIZED', 'SESSION_DESTROYED'],
  ])('takes %s', async (_, code, expected) => {
    const { output } = await ask({ status: 500, body: { success: false, code, error: 'words', phase: 'x' } })
    expect(output).toBeInstanceOf(AppError)
    expect(output.code).toBe(expected)
  })

  it('keeps the words and the detail of an error', async () => {
    const body = { success: false, code: 'SESSION_FAILED', error: 'It has crashed.', phase: 'running' }
    const { output } = await ask({ status: 502, body })
    expect(output).toMatchObject({ message: 'It has crashed.', detail: { phase: 'running' } })
  })

  it('tells a call that was never sent from one that was lost', () => {
    expect(asAnswer(new PeerUnreachable())).toMatchObject({
      code: 'SESSION_FAILED',
      detail: { phase: 'reaching the session' },
    })
    expect(asAnswer(new PeerGone())).toMatchObject({ code: 'JOB_INTERRUPTED' })
    const other = new Error('something else')
    expect(asAnswer(other)).toBe(other)
  })
})
